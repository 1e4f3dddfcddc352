import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeLobbies } from '../calls'
import type { HarmFigure, HarmRow } from '../row'
import { HarmWorld } from '../world'

const CALLERS = 8
/** Calls per caller. Together their log lines, of about 150 bytes each, fill a pipe three times. */
const EACH = 160

/** The log goes into a pipe whose reader does not read. */
export const row: HarmRow = {
  name: 'stalled-log',
  harm: 'standard error is a pipe that nobody reads',
  async run(): Promise<readonly HarmFigure[]> {
    const quiet = await measured('ignore')
    const folder = mkdtempSync(join(tmpdir(), 'matchyard-harm-pipe-'))
    const pipe = join(folder, 'log')
    execFileSync('mkfifo', [pipe])
    // A reader must exist before the pipe can be opened for writing without blocking.
    const reader = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
    const writer = openSync(pipe, constants.O_WRONLY)
    const attacked = await measured(writer)
    for (const end of [reader, writer]) closeSync(end)
    rmSync(folder, { recursive: true })
    return figuresOf(quiet, attacked)
  },
}

export async function measured(stderr: number | 'ignore') {
  const world = await HarmWorld.serve(stderr)
  try {
    let calls = await makeLobbies(world, CALLERS, 20)
    const { livezMs, memoryMb } = await world.watch(async () => {
      calls = await makeLobbies(world, CALLERS, EACH)
    })
    return { calls, livez: livezMs.max, memory: memoryMb.peak, stopped: await world.end('SIGTERM') }
  } finally {
    await world.stop()
  }
}

type Measured = Awaited<ReturnType<typeof measured>>

export const figuresOf = (quiet: Measured, attacked: Measured): readonly HarmFigure[] => [
  { what: 'calls answered', unit: '', quiet: quiet.calls.answered, attacked: attacked.calls.answered },
  { what: 'calls failed', unit: '', quiet: quiet.calls.failed, attacked: attacked.calls.failed },
  { what: 'a call, half of them within', unit: 'ms', quiet: quiet.calls.p50, attacked: attacked.calls.p50 },
  { what: 'longest /livez', unit: 'ms', quiet: quiet.livez, attacked: attacked.livez },
  { what: 'memory at its most', unit: 'MB', quiet: quiet.memory, attacked: attacked.memory },
  { what: 'SIGTERM to exit', unit: 'ms', quiet: quiet.stopped, attacked: attacked.stopped },
]
