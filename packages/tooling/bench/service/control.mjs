// Loaded into a server before its own code: reports over IPC the CPU time and the memory of the process. Only for
// benchmarks.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

process.on('message', ({ ask }) => {
  if (ask === 'cpu') {
    const { user, system } = process.cpuUsage()
    process.send({ cpuMicros: user + system })
  }
  if (ask === 'memory') {
    collect()
    collect()
    process.send(process.memoryUsage())
  }
})
// The open channel must not keep the process alive after its work has ended.
process.channel?.unref()
