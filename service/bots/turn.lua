-- A match in which bots play, at a revision: queued, if it is the turn of one of them.
--
-- KEYS: known, turns. ARGV: match id, revision, version at which it is a bot's turn ('' it is not), 1 if it is
--       over.

local known = redis.call('HGET', KEYS[1], ARGV[1])
if known and tonumber(known) >= tonumber(ARGV[2]) then
  return 0
end
if ARGV[4] == '1' then
  redis.call('HDEL', KEYS[1], ARGV[1])
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
if ARGV[3] ~= '' then
  redis.call('XADD', KEYS[2], '*', 'm', ARGV[1], 'v', ARGV[3])
  return 1
end
return 0
