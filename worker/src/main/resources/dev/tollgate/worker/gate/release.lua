-- Purpose: take back a claim of the gate, and only our own. A slow owner whose claim has expired must not delete the
--          claim of its successor, nor the mark of an operation that is durable by now.
-- KEYS[1]: the gate entry
-- ARGV[1]: the value of our claim, CONSUMING:<owner>
-- Return:  1 deleted; 0 the entry is gone, another owner's, a mark, or no string at all
-- Limits:  one key, so that it runs on any slot of a cluster; needs GET and DEL (a script runs under its caller's ACL)
if redis.pcall('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
