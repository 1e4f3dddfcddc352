import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { IS_LINUX, MarkedProcesses } from '../src/proc'

const INSTALLATION = 'ins_marked'
/** Of so much memory the kernel takes some fifty milliseconds to let go: a look takes one of them. */
const LARGE_MIB = 512

let child: ChildProcess | undefined
afterEach(() => void child?.kill('SIGKILL'))

/** A process with the marks of a game server, that listens; its port. */
async function listening(memoryMib: number, installation = INSTALLATION): Promise<number> {
  const program = `
    const memory = Buffer.alloc(${memoryMib} << 20, 1)
    const server = require('node:net').createServer((socket) => socket.end(String(memory[0])))
    server.listen(0, '127.0.0.1', () => console.log(server.address().port))`
  const marks = { MATCHYARD_INSTALLATION: installation, MATCHYARD_INSTANCE_ID: 'srv_a', MATCHYARD_ATTEMPT: '2' }
  child = spawn(process.execPath, ['-e', program], { env: marks, stdio: ['ignore', 'pipe', 'inherit'] })
  const [said] = await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data')
  return Number(String(said))
}

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy())
  })

describe.runIf(IS_LINUX)('the processes of an installation', () => {
  it('are known by their environment, and those of another are not', async () => {
    await listening(1)
    const found = await new MarkedProcesses(INSTALLATION).scan()
    expect(found).toEqual([{ pid: child?.pid, instanceId: 'srv_a', attempt: 2, isSupervisor: false }])
    expect(await new MarkedProcesses('ins_another').scan()).toEqual([])
  })

  it('are there until they have let go of their ports, however long the kernel takes with their memory', async () => {
    const port = await listening(LARGE_MIB)
    const processes = new MarkedProcesses(INSTALLATION)
    expect(await processes.scan()).toHaveLength(1)
    child?.kill('SIGKILL')
    while ((await processes.scan()).length > 0);
    expect(await accepts(port)).toBe(false)
  })
})
