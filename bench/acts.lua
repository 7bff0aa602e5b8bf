-- Each thread of wrk is one connection, which sends the requests of a file, one a line, in order, and begins again after
-- the last. A line: the path, and after a tab the body of a POST; without one it is a GET.

local count = 0

function setup(thread)
  thread:set("number", count)
  count = count + 1
end

function init(args)
  lines = {}
  for line in io.lines(args[1] .. "/" .. number) do
    local path, body = line:match("^([^\t]*)\t(.*)$")
    if body then
      lines[#lines + 1] = wrk.format("POST", path, {["Content-Type"] = "application/json"}, body)
    else
      lines[#lines + 1] = wrk.format("GET", line)
    end
  end
  next_line = 0
end

function request()
  if number == 0 and not is_tried then -- wrk asks the first thread once to see what a request looks like
    is_tried = true
    return lines[1]
  end
  next_line = next_line % #lines + 1
  return lines[next_line]
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    "{\"requests\":%d,\"micros\":%d,\"failed\":%d,\"lost\":%d,\"p50\":%d,\"p99\":%d}\n",
    summary.requests, summary.duration, errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99)
  ))
end
