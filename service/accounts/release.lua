-- A claim given up, if it is still the player's. KEYS: claim. ARGV: id of the player.

local stands = redis.call('GET', KEYS[1])
if stands and string.match(stands, '^%S+') == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
