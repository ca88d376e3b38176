-- A match in which bots play, at a revision: queued, if it is the turn of one of them.
--
-- KEYS: known, changed, turns. ARGV: match id, revision, version at which it is a bot's turn ('' it is not), when
--       it changed in ms ('' it is over). What changed a day before this match or earlier is forgotten, bit by bit.

local known = redis.call('HGET', KEYS[1], ARGV[1])
if known and tonumber(known) >= tonumber(ARGV[2]) then
  return 0
end
if ARGV[4] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
  redis.call('ZREM', KEYS[2], ARGV[1])
  return 0
end
local old = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', tonumber(ARGV[4]) - 86400000, 'LIMIT', 0, 10)
if #old > 0 then
  redis.call('HDEL', KEYS[1], unpack(old))
  redis.call('ZREM', KEYS[2], unpack(old))
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
if ARGV[3] ~= '' then
  redis.call('XADD', KEYS[3], '*', 'm', ARGV[1], 'v', ARGV[3])
  return 1
end
return 0
