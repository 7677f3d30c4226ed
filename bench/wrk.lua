-- Sends the requests of a file in turn: method, path and body, separated by tabs. {n} becomes a number of its own.
local requests, at, number = {}, 0, 0

function init(args)
  for line in io.lines(args[1]) do
    local method, path, body = line:match('^(%u+)\t(%S+)\t(.*)$')
    requests[#requests + 1] = { method = method, path = path, body = body }
  end
  number = tonumber(args[4])
  wrk.headers['Authorization'] = 'Bearer ' .. args[2]
  wrk.headers['X-APP-ID'] = args[3]
  wrk.headers['Content-Type'] = 'application/json'
end

function request()
  at = at % #requests + 1
  number = number + 1
  local next = requests[at]
  if next.body == '' then return wrk.format(next.method, next.path) end
  return wrk.format(next.method, next.path, nil, (next.body:gsub('{n}', string.format('%010d', number))))
end
