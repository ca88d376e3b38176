-- Something that only one player can have: taken, if nobody has it but who asks, or the one named.
--
-- KEYS: claim. ARGV: id of the player and the time in ms, with a blank between; the claim that is void ('' none).
-- Answers the claim that stands in the way, false if there was none and the player has it now.

local stands = redis.call('GET', KEYS[1])
if stands and stands ~= ARGV[2] and string.match(stands, '^%S+') ~= string.match(ARGV[1], '^%S+') then
  return stands
end
redis.call('SET', KEYS[1], ARGV[1])
return false
