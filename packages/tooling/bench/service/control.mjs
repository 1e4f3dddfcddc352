// Loaded into a server before anything else: says over IPC what it has used and what it holds. Only for the benches.
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
// It is asked; it does not keep what is done alive.
process.channel?.unref()
