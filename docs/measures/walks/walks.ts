import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { CallName } from './calls'
import type { RanFile } from './recorder'

export interface Size {
  readonly files: number
  readonly lines: number
}

/** The sources that one call runs through. */
export interface Walk {
  readonly name: string
  readonly call: CallName
  /** The goal for the files and lines of this walk alone. */
  readonly goal?: Size
  /**
   * The upper bound for the files and lines of this walk alone: the goal once it is reached, until then the present
   * figures.
   */
  readonly atMost: Size
}

/**
 * Two calls with little code of their own. The lines that they run are common to all calls: those of players, and those
 * that change something.
 */
const EVERY_CALL: Walk = {
  name: 'every call: a player reads a lobby, a backend renames a queue',
  call: 'readAndRename',
  atMost: { files: 94, lines: 1_360 },
}

export const WALKS: readonly Walk[] = [
  EVERY_CALL,
  {
    name: 'a player cancels matchmaking',
    call: 'cancel',
    goal: { files: 14, lines: 260 },
    atMost: { files: 36, lines: 365 },
  },
  {
    name: '`POST /v1/lobbies`, and the feed of the project reports it',
    call: 'createLobby',
    goal: { files: 20, lines: 600 },
    atMost: { files: 45, lines: 645 },
  },
  {
    name: 'a tick, a match, its server runs (the engine apart)',
    call: 'makeMatch',
    goal: { files: 26, lines: 800 },
    atMost: { files: 121, lines: 2_045 },
  },
]

export interface Measured {
  readonly walk: Walk
  readonly withStorage: Size
  readonly withoutStorage: Size
  /** Without storage, and without the lines that every call runs. */
  readonly own: Size
  readonly ownFiles: readonly RanFile[]
}

const ENGINE = 'packages/matchmaking/'
const FAKES = 'packages/testkit/'
/**
 * The storage adapter and the code that adapters share: helpers next to their port, and the labels by which they find
 * lobbies and matches.
 */
const STORAGE = [
  'packages/storage-memory/',
  'packages/core/src/ports/storage/',
  'packages/core/src/lobby/labels.ts',
  'packages/core/src/match/labels.ts',
]

const isOurs = ({ path }: RanFile) => !path.startsWith(ENGINE) && !path.startsWith(FAKES)
const isOfStorage = ({ path }: RanFile) => STORAGE.some((place) => path.startsWith(place))

let measured: readonly Measured[] | undefined

/** Returns the sizes of all walks. The calls are made once, in a separate process. */
export function measureWalks(): readonly Measured[] {
  measured ??= measuredOf(recordCalls())
  return measured
}

function recordCalls(): Record<CallName, RanFile[]> {
  const program = fileURLToPath(new URL('record.ts', import.meta.url))
  const flags = ['--conditions=@matchyard/source', '--import', 'tsx']
  return JSON.parse(execFileSync(process.execPath, [...flags, program], { encoding: 'utf8', maxBuffer: 2 ** 26 }))
}

function measuredOf(recorded: Record<CallName, RanFile[]>): Measured[] {
  const ranBy = ({ call }: Walk) => recorded[call].filter(isOurs)
  const shared = new Map(ranBy(EVERY_CALL).map(({ path, lines }) => [path, new Set(lines)]))
  return WALKS.map((walk) => {
    const all = ranBy(walk)
    const lean = all.filter((file) => !isOfStorage(file))
    const ownFiles = walk === EVERY_CALL ? lean : lean.flatMap((file) => without(file, shared.get(file.path)))
    return { walk, withStorage: sizeOf(all), withoutStorage: sizeOf(lean), own: sizeOf(ownFiles), ownFiles }
  })
}

/** Returns the file without the shared lines; an empty list when no line is left. */
function without({ path, lines }: RanFile, shared: ReadonlySet<number> = new Set()): RanFile[] {
  const own = lines.filter((line) => !shared.has(line))
  return own.length === 0 ? [] : [{ path, lines: own }]
}

const sizeOf = (files: readonly RanFile[]): Size => ({
  files: files.length,
  lines: files.reduce((sum, { lines }) => sum + lines.length, 0),
})
