-- The lease of a tournament: taken if nobody holds it, renewed by who holds it.
--
-- KEYS: driver. ARGV: who asks, for how long in ms (0: given up). Answers 1 if who asks has it now.

local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then
  return 0
end
if ARGV[2] == '0' then
  redis.call('DEL', KEYS[1])
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
