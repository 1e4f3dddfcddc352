import type { FakeClock, FakeRandom } from '@matchyard/testkit'
import { ANNOTATION, LABEL } from '../../../src/agones/names'
import type { ContainerExit, KubeObject, Runtime } from '../../../src/agones/testing/index'
import { CONFIG_PATH } from '../../../src/kit/index'
import type { Violation } from './audit'
import { GRAIN_MS } from './life'

export interface Container {
  readonly uid: string
  /** Name of the pod. */
  readonly name: string
  /** Whether the container was started before a launch needed it. */
  readonly isWarm: boolean
  /** Empty, with attempt 0, until the container has its configuration. */
  instanceId: string
  attempt: number
  /** The configuration; empty until the container has it. */
  told: string
  /** Ports of the node, at which players connect. */
  readonly hostPorts: readonly number[]
  readonly startedAt: number
  /** Time from which the ports accept connections. */
  readonly acceptsAt: number
  readonly obeys: boolean
  endedAt: number | undefined
  /** Whether the container was killed without a grace period: the caller does not wait for its end. */
  isCondemned: boolean
}

type Fate = 'lives' | 'exits at once' | 'exits soon' | 'crashes soon' | 'disobeys'

/** Most containers run until they are asked to stop. */
const FATES: readonly Fate[] = [
  ...Array<Fate>(14).fill('lives'),
  'exits at once',
  'exits soon',
  'crashes soon',
  'crashes soon',
  'disobeys',
  'disobeys',
]

/** Waiting containers end by themselves more rarely. */
const WARM_FATES: readonly Fate[] = [...Array<Fate>(27).fill('lives'), 'exits soon', 'crashes soon', 'disobeys']

/** The containers of a simulated cluster. */
export class Containers implements Runtime {
  readonly all: Container[] = []
  /** Violations by the configurations that containers were given. */
  readonly misuse: Violation[] = []
  /**
   * Whether containers may exit, crash or ignore a stop at random. If false, all new containers run until they are
   * stopped.
   */
  hasWill = true
  /** Called for each running container that is asked to end. */
  whenStopped: (container: Container) => void = () => {}
  private readonly endings = new Map<string, { readonly container: Container; end(exit: ContainerExit): void }>()

  constructor(
    private readonly clock: FakeClock,
    private readonly random: FakeRandom,
  ) {}

  /** Containers that run and have their configuration. */
  get alive(): readonly Container[] {
    return this.up.filter(({ told }) => told !== '')
  }

  /** All containers that run, with those that wait. */
  get up(): readonly Container[] {
    return this.all.filter(({ endedAt }) => endedAt === undefined)
  }

  /** Returns the container of an attempt of an instance. */
  of(instanceId: string, attempt: number): Container | undefined {
    return this.all.find((one) => one.instanceId === instanceId && one.attempt === attempt)
  }

  /** Whether a container in a pod of this name has ended. */
  hasEnded(name: string): boolean {
    return this.all.some((one) => one.name === name && one.endedAt !== undefined)
  }

  accepts(port: number): boolean {
    return this.up.some(({ hostPorts, acceptsAt }) => hostPorts.includes(port) && acceptsAt <= this.clock.now())
  }

  imageFault(): undefined {
    return undefined
  }

  start(pod: KubeObject, files: ReadonlyMap<string, string>, ended: (exit: ContainerExit) => void): undefined {
    const { uid, name, labels = {} } = pod.metadata
    const isWarm = labels[LABEL.pool] !== undefined
    const fates = isWarm ? WARM_FATES : FATES
    const fate = this.hasWill ? (fates[this.random.int(fates.length)] ?? 'lives') : 'lives'
    const now = this.clock.now()
    const ports: { hostPort?: number }[] = pod.spec.containers[0].ports ?? []
    const container: Container = {
      uid,
      name,
      isWarm,
      instanceId: '',
      attempt: 0,
      told: '',
      hostPorts: ports.flatMap(({ hostPort }) => hostPort ?? []),
      startedAt: now,
      acceptsAt: now + GRAIN_MS * this.random.int(400),
      obeys: fate !== 'disobeys',
      endedAt: undefined,
      isCondemned: false,
    }
    this.tell(container, pod, files.get(CONFIG_PATH))
    this.all.push(container)
    this.endings.set(uid, { container, end: ended })
    if (fate === 'exits at once') this.endAfter(uid, 0, 1)
    if (fate === 'exits soon') this.endAfter(uid, this.soon(), 0)
    if (fate === 'crashes soon') this.endAfter(uid, this.soon(), 3)
    return undefined
  }

  rewrite(pod: KubeObject, files: ReadonlyMap<string, string>): void {
    const container = this.endings.get(pod.metadata.uid)?.container
    if (container !== undefined) this.tell(container, pod, files.get(CONFIG_PATH))
  }

  stop(uid: string, graceSeconds: number): void {
    const container = this.endings.get(uid)?.container
    if (container === undefined) return
    this.whenStopped(container)
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

  /** Gives a container the content of its configuration file; undefined when it has no such file. */
  private tell(container: Container, { metadata }: KubeObject, text: string | undefined): void {
    const { isWarm, name, told } = container
    const broke = (invariant: string, message: string) => this.misuse.push({ invariant, message: `${name} ${message}` })
    if (text === undefined || (text === '' && !isWarm))
      return void broke('aServerHasItsConfiguration', 'was started without its configuration')
    if (told !== '') return void broke('aServerIsToldOnce', 'was told another configuration')
    if (text === '') return
    const { [ANNOTATION.instance]: instanceId = '', [ANNOTATION.attempt]: attempt } = metadata.annotations ?? {}
    container.told = text
    container.instanceId = instanceId
    container.attempt = Number(attempt)
    const { instance_id: of } = JSON.parse(text) as { instance_id?: string }
    if (of !== instanceId) broke('aServerHasItsConfiguration', `is ${instanceId}, and was told that it is ${of}`)
    const other = this.of(instanceId, container.attempt)
    if (other !== undefined && other !== container)
      broke('aLaunchHasOneServer', `is ${instanceId}#${attempt}, and so was ${other.name}`)
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
