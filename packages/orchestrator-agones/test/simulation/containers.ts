import { CONFIG_PATH } from '@matchyard/orchestrator-kit'
import type { FakeClock, FakeRandom } from '@matchyard/testkit'
import { ANNOTATION } from '../../src/names'
import type { ContainerExit, KubeObject, Runtime } from '../../src/testing/index'
import { GRAIN_MS } from './life'

export interface Container {
  readonly uid: string
  readonly instanceId: string
  readonly attempt: number
  /** Of its node, as players see them. */
  readonly hostPorts: readonly number[]
  readonly startedAt: number
  /** From when on its ports accept. */
  readonly acceptsAt: number
  readonly obeys: boolean
  endedAt: number | undefined
  /** It was killed without anybody waiting for its end: whoever asked for that has given it up. */
  isCondemned: boolean
}

type Fate = 'lives' | 'exits at once' | 'exits soon' | 'crashes soon' | 'disobeys'

/** Most do as they are told. */
const FATES: readonly Fate[] = [
  ...Array<Fate>(14).fill('lives'),
  'exits at once',
  'exits soon',
  'crashes soon',
  'crashes soon',
  'disobeys',
  'disobeys',
]

/** Game servers of a simulated cluster. */
export class Containers implements Runtime {
  readonly all: Container[] = []
  /** What a pod was given that no game server can do with. */
  readonly misuse: string[] = []
  /** Whether game servers do as they like; otherwise all of them live until they are stopped. */
  hasWill = true
  private readonly endings = new Map<string, { readonly container: Container; end(exit: ContainerExit): void }>()

  constructor(
    private readonly clock: FakeClock,
    private readonly random: FakeRandom,
  ) {}

  get alive(): readonly Container[] {
    return this.all.filter(({ endedAt }) => endedAt === undefined)
  }

  /** Of an attempt of an instance. */
  of(instanceId: string, attempt: number): Container | undefined {
    return this.all.find((one) => one.instanceId === instanceId && one.attempt === attempt)
  }

  accepts(port: number): boolean {
    return this.alive.some(({ hostPorts, acceptsAt }) => hostPorts.includes(port) && acceptsAt <= this.clock.now())
  }

  imageFault(): undefined {
    return undefined
  }

  start(pod: KubeObject, files: ReadonlyMap<string, string>, ended: (exit: ContainerExit) => void): undefined {
    const { uid, annotations = {} } = pod.metadata
    const fate = this.hasWill ? (FATES[this.random.int(FATES.length)] ?? 'lives') : 'lives'
    const now = this.clock.now()
    const ports: { hostPort?: number }[] = pod.spec.containers[0].ports ?? []
    const container: Container = {
      uid,
      instanceId: annotations[ANNOTATION.instance] ?? '',
      attempt: Number(annotations[ANNOTATION.attempt]),
      hostPorts: ports.flatMap(({ hostPort }) => hostPort ?? []),
      startedAt: now,
      acceptsAt: now + GRAIN_MS * this.random.int(400),
      obeys: fate !== 'disobeys',
      endedAt: undefined,
      isCondemned: false,
    }
    if (!files.has(CONFIG_PATH)) this.misuse.push(`${container.instanceId} was started without its configuration`)
    this.all.push(container)
    this.endings.set(uid, { container, end: ended })
    if (fate === 'exits at once') this.endAfter(uid, 0, 1)
    if (fate === 'exits soon') this.endAfter(uid, this.soon(), 0)
    if (fate === 'crashes soon') this.endAfter(uid, this.soon(), 3)
    return undefined
  }

  rewrite(): void {}

  stop(uid: string, graceSeconds: number): void {
    const container = this.endings.get(uid)?.container
    if (container === undefined) return
    if (graceSeconds === 0) container.isCondemned = true
    if (container.obeys && graceSeconds > 0) this.endAfter(uid, GRAIN_MS * (10 + this.random.int(80)), 0)
    this.endAfter(uid, graceSeconds * 1_000, 137)
  }

  log(uid: string): { at: number; text: string }[] {
    const container = this.all.find((one) => one.uid === uid)
    return container === undefined ? [] : [{ at: container.startedAt, text: `${container.instanceId} says hello` }]
  }

  forget(uid: string): void {
    this.exit(uid, 137)
  }

  private soon(): number {
    return GRAIN_MS * (300 + this.random.int(6_000))
  }

  private endAfter(uid: string, ms: number, exitCode: number): void {
    this.clock.after(ms, () => this.exit(uid, exitCode))
  }

  private exit(uid: string, exitCode: number): void {
    const ending = this.endings.get(uid)
    if (ending === undefined) return
    this.endings.delete(uid)
    ending.container.endedAt = this.clock.now()
    ending.end({ exitCode })
  }
}
