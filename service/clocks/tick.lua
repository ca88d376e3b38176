-- A worker lives: the lease of the clocks is renewed, unless it just was, and what is due is handed out.
--
-- KEYS: lease, stalls, deadlines.
-- ARGV: now in ms since 1970, and in ms: the shortest time between two renewals, the longest one in which the
--       service counts as present, for how long a match that is handed out is held back from others;
--       how many matches at most; the end of the last stall that is known; how many stalls are kept.
-- Answers {stalls after that one, each 'beginning end', matches that are due}.
--
-- A renewal from long after now was made before the clock was set back.

local now, hold = tonumber(ARGV[1]), tonumber(ARGV[4])
local last = tonumber(redis.call('GET', KEYS[1]) or now - 2 * tonumber(ARGV[2]))
local due = {}
if now - last >= tonumber(ARGV[2]) or last - now > 60000 then
  redis.call('SET', KEYS[1], now)
  if now - last > tonumber(ARGV[3]) then
    redis.call('ZADD', KEYS[2], now, last .. ' ' .. now)
    redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -1 - tonumber(ARGV[7]))
  end
  due = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now, 'LIMIT', 0, ARGV[5])
  for _, id in ipairs(due) do
    redis.call('ZADD', KEYS[3], now + hold, id)
  end
end
return {redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. ARGV[6], '+inf'), due}
