import { fork } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PortMapping } from '@matchyard/core'
import type { LaunchResult, Logger } from '@matchyard/core/ports'
import { type Certificate, certificateFault, NO_CERTIFICATE } from '../kit/certificate'
import {
  addressInUse,
  final,
  knock,
  machineFault,
  makePrivate,
  namesIn,
  type PortFinder,
  writeSynced,
} from '../kit/index'
import { isAlive, takesRoom } from './containers'
import { wordsOf } from './engine'
import type { FrontPort } from './labels'

/**
 * Path of the front's program, in the folder of the supervisor. A source file is one folder deeper than the built file.
 */
const PROGRAM = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../../supervisor/front/main.mjs' : '../supervisor/front/main.mjs',
    import.meta.url,
  ),
)
const NODE_FLAGS = ['--max-old-space-size=128', '--max-semi-space-size=2']
const LISTEN_WITHIN_MS = 10_000
/** Milliseconds between two looks for fronts that are missing or superfluous. */
const LOOK_EVERY_MS = 5_000
const PLAN = 'front.json'

/** A container as far as its front is concerned. */
export interface Fronted {
  readonly id: string
  readonly state: string
  readonly fronts: readonly FrontPort[]
}

/** Message of a front that began, or that could not. */
interface FrontMessage {
  readonly listening?: boolean
  readonly failed?: { readonly code: string | null; readonly message: string }
}

/**
 * TLS fronts of containers: processes of this machine that go on without the service, and end when the file with their
 * plan is removed. The container has the ports in a label, so a lost file is written anew.
 */
export class Fronts {
  private lookedAt = Number.NEGATIVE_INFINITY
  private isLooking = false

  constructor(
    private readonly folder: string,
    private readonly certificate: Certificate | undefined,
    private readonly innerPorts: Pick<PortFinder, 'propose'>,
    private readonly logger: Logger,
  ) {}

  /** Returns the ports of the fronts of a new container by the names of its ports, or the refusal of its launch. */
  async choose(ports: readonly PortMapping[]): Promise<ReadonlyMap<string, FrontPort> | LaunchResult> {
    const secure = ports.filter(({ tlsEnabled }) => tlsEnabled)
    if (secure.length === 0) return new Map()
    if (this.certificate === undefined) return final(NO_CERTIFICATE)
    const fault = await certificateFault(this.certificate)
    if (fault !== undefined) return machineFault(fault)
    const inner = await this.innerPorts.propose(secure)
    return new Map(
      secure.map(({ name, externalPort: port }, index) => [name, { port, inner: inner[index]?.externalPort ?? 0 }]),
    )
  }

  /** Starts the front of a container. Returns the refusal of its launch when the front cannot listen. */
  async begin(id: string, ports: readonly FrontPort[]): Promise<LaunchResult | undefined> {
    if (ports.length === 0 || this.certificate === undefined) return undefined
    const plan = join(this.folder, id, PLAN)
    await makePrivate(join(this.folder, id))
    await writeSynced(plan, JSON.stringify({ ports, certificate: this.certificate, isAlone: true }))
    const { listening, failed } = await started(plan)
    if (listening === true) return undefined
    await this.end(id)
    const { code, message } = failed ?? { code: null, message: 'the TLS front did not listen in time' }
    return code === 'EADDRINUSE' ? addressInUse(message) : machineFault(message)
  }

  /** Ends the front of a container soon. */
  async end(id: string): Promise<void> {
    await rm(join(this.folder, id), { recursive: true, force: true })
  }

  /**
   * Starts the fronts that running containers lack, and ends those of other containers, in the background and at most every
   * few seconds. The caller does not wait: a front that cannot start must not delay the other servers.
   */
  keep(all: () => Promise<readonly Fronted[]>): void {
    if (this.certificate === undefined || this.isLooking || performance.now() - this.lookedAt < LOOK_EVERY_MS) return
    this.lookedAt = performance.now()
    this.isLooking = true
    this.look(all)
      .catch((error: unknown) => this.logger.warn('the TLS fronts could not be looked at', { error: wordsOf(error) }))
      .finally(() => {
        this.isLooking = false
      })
  }

  private async look(all: () => Promise<readonly Fronted[]>): Promise<void> {
    // Read before the list: a front that begins meanwhile is not among the names. Its container is not started yet.
    const names = await namesIn(this.folder)
    const fronted = (await all()).filter((one) => takesRoom(one) && one.fronts.length > 0)
    const ids = new Set(fronted.map(({ id }) => id))
    for (const id of names) if (!ids.has(id)) await this.end(id)
    for (const { id, fronts } of fronted.filter(isAlive)) {
      const answers = await Promise.all(fronts.map(({ port }) => knock('127.0.0.1', port)))
      if (answers.every((answer) => answer === 'accepts')) continue
      const fault = await this.begin(id, fronts)
      if (fault !== undefined && !fault.ok)
        this.logger.warn('the TLS front of a game server cannot be started again', {
          container: id,
          reason: fault.message,
        })
    }
  }
}

/** Starts the program of the front, which goes on by itself, and returns its first message; an empty one without a message. */
function started(plan: string): Promise<FrontMessage> {
  return new Promise((resolve) => {
    const child = fork(PROGRAM, [plan], {
      execArgv: NODE_FLAGS,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', MATCHYARD_ROLE: 'front' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      detached: true,
    })
    const end = (message: FrontMessage) => {
      clearTimeout(late)
      if (child.connected) child.disconnect()
      child.unref()
      resolve(message)
    }
    const late = setTimeout(() => {
      child.kill('SIGKILL')
      end({})
    }, LISTEN_WITHIN_MS)
    child.once('message', (message) => end(message as FrontMessage))
    child.once('error', ({ message }) => end({ failed: { code: null, message } }))
    child.once('exit', () => end({}))
  })
}
