-- The index shows a match at a revision: its outbox is empty, unless it asks for a later one.
--
-- KEYS: outbox. ARGV: the revision.

local asked = redis.call('GET', KEYS[1])
if asked and tonumber(asked) <= tonumber(ARGV[1]) then
  return redis.call('DEL', KEYS[1])
end
return 0
