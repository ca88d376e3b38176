-- One write to a tournament: all of it or nothing, if nobody wrote since it was read.
--
-- KEYS: tournament, entries, answer. ARGV: expected revision (0: there must be none), blob ('' as it is), the
--       answer to record ('' none), its time to keep in ms, then the entries to add.
-- Tells the new revision on the channel named like the tournament. Answers {'committed', revision} or
-- {'stale'} or {'repeated', answer}. Nothing is written unless it answers 'committed'.

if ARGV[3] ~= '' then
  local recorded = redis.call('GET', KEYS[3])
  if recorded then
    return {'repeated', recorded}
  end
end
local rev = tonumber(redis.call('HGET', KEYS[1], 'rev') or 0)
if rev ~= tonumber(ARGV[1]) then
  return {'stale'}
end
for i = 5, #ARGV do
  redis.call('RPUSH', KEYS[2], ARGV[i])
end
rev = rev + 1
redis.call('HSET', KEYS[1], 'rev', rev)
if ARGV[2] ~= '' then
  redis.call('HSET', KEYS[1], 'blob', ARGV[2])
end
if ARGV[3] ~= '' then
  redis.call('SET', KEYS[3], ARGV[3], 'PX', ARGV[4])
end
redis.pcall('PUBLISH', KEYS[1], rev)
return {'committed', rev}
