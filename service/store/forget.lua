-- A match that is not kept any longer leaves the listings.
--
-- KEYS: as of index.lua. ARGV: match id, what is known of it, its member.

if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then
  return 0
end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
for i = 3, #KEYS do
  redis.call('ZREM', KEYS[i], ARGV[3])
end
return 1
