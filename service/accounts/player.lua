-- One write to a player: all of it or nothing, if nobody wrote since it was read.
--
-- KEYS: player, answer. ARGV: expected revision (0: there must be none), blob, the answer to record ('' none),
--       its time to keep in ms.
-- Tells on the channel named like the player. Answers {'committed'} or {'stale', revision, blob} or
-- {'repeated', answer}.

if ARGV[3] ~= '' then
  local recorded = redis.call('GET', KEYS[2])
  if recorded then
    return {'repeated', recorded}
  end
end
local stored = redis.call('HMGET', KEYS[1], 'rev', 'blob')
local rev = tonumber(stored[1] or 0)
if rev ~= tonumber(ARGV[1]) then
  return {'stale', rev, stored[2]}
end
redis.call('HSET', KEYS[1], 'rev', rev + 1, 'blob', ARGV[2])
if ARGV[3] ~= '' then
  redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[4])
end
redis.pcall('PUBLISH', KEYS[1], '')
return {'committed'}
