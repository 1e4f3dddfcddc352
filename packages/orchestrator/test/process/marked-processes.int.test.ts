import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { skipWithout } from '@matchyard/tooling/needs'
import { afterEach, describe, expect, it } from 'vitest'
import { ENVIRON_BYTES, IS_LINUX, isAlive, isThere, MarkedProcesses, startTimeOf } from '../../src/process/proc'
import { answerOf, LARGE_MIB, listener } from './large-listener'

const INSTALLATION = 'ins_marked'
const MOST_LOOKS = 10_000

let child: ChildProcess | undefined
afterEach(() => void child?.kill('SIGKILL'))

const MARKS = { MATCHYARD_INSTALLATION: INSTALLATION, MATCHYARD_INSTANCE_ID: 'srv_a', MATCHYARD_ATTEMPT: '2' }

/** Starts a program with the marks of a game server; resolves with its first output. */
const started = (program: string, ...args: string[]): Promise<string> => startedIn({}, program, ...args)

/** Starts a program with these variables before the marks; resolves with its first output. */
async function startedIn(before: Record<string, string>, program: string, ...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, ...before, ...MARKS }
  const begun = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  child = begun
  const failure = new Promise<never>((_, reject) => begun.once('error', reject))
  const [said] = await Promise.race([once(begun.stdout, 'data'), failure])
  return String(said)
}

/** Starts a listening program; resolves with its port. */
const listening = async (memoryMib: number): Promise<number> =>
  Number(await started(process.execPath, '-e', listener(memoryMib, 'console.log')))

/** A program whose first thread ends, while another one runs until its input is closed. */
const FIRST_ENDS = `
import ctypes, sys, threading
def rest():
    print("goes on", flush=True)
    sys.stdin.read()
threading.Thread(target=rest).start()
ctypes.CDLL(None).pthread_exit(None)
`

describe.runIf(IS_LINUX)('the processes of an installation', () => {
  it('are known by their environment, and those of another are not', async () => {
    await listening(1)
    const found = await new MarkedProcesses(INSTALLATION).scan()
    expect(found).toEqual([{ pid: child?.pid, instanceId: 'srv_a', attempt: 2, isSupervisor: false, isEnding: false }])
    expect(await new MarkedProcesses('ins_another').scan()).toEqual([])
  })

  it('are looked at no further than 128 KiB of their environment', async () => {
    const half = 'x'.repeat(ENVIRON_BYTES / 2)
    await startedIn({ A: half.slice(1_000) }, '/bin/sh', '-c', 'echo begun; read line')
    expect(await new MarkedProcesses(INSTALLATION).scan()).toHaveLength(1)
    child?.kill('SIGKILL')
    await startedIn({ A: half, B: half }, '/bin/sh', '-c', 'echo begun; read line')
    expect(await new MarkedProcesses(INSTALLATION).scan()).toEqual([])
  })

  it('are there until they have let go of their ports, however long the kernel takes with their memory', async () => {
    const port = await listening(LARGE_MIB)
    const processes = new MarkedProcesses(INSTALLATION)
    expect(await processes.scan()).toHaveLength(1)
    child?.kill('SIGKILL')
    for (let looks = 0; looks < MOST_LOOKS && (await processes.scan()).length > 0; looks++);
    expect(await answerOf(port)).toBe('refuses')
  })

  it('are none of it any more where they start another program without its environment, whoever has seen them before', async () => {
    await started('/bin/sh', '-c', 'echo begun; read line; exec env -i /bin/sh -c "echo bare; read line"')
    const before = new MarkedProcesses(INSTALLATION)
    expect(await before.scan()).toHaveLength(1)
    const bare = once(child?.stdout as NonNullable<ChildProcess['stdout']>, 'data')
    child?.stdin?.write('\n')
    await bare
    expect(await before.scan()).toEqual([])
    expect(await new MarkedProcesses(INSTALLATION).scan()).toEqual([])
  })

  it('whose first thread has ended do nothing for anybody any more, and are there', async (context) => {
    const said = await started('python3', '-c', FIRST_ENDS).catch((error) => skipWithout(context, 'Python', `${error}`))
    expect(said).toBe('goes on\n')
    const processes = new MarkedProcesses(INSTALLATION)
    await processes.scan()
    const identity = { bootId: null, pid: child?.pid ?? 0, startTime: await startTimeOf(child?.pid ?? 0) }
    await expect.poll(() => isAlive(identity, null)).toBe(false)
    expect(await isThere(identity, null)).toBe(true)
    const exit = once(child as ChildProcess, 'exit')
    child?.stdin?.end()
    await exit
    expect(await isThere(identity, null)).toBe(false)
    expect(await processes.scan()).toEqual([])
  })
})
