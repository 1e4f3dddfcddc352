import { ANNOTATION, gameServerName } from '../../../src/agones/names'
import { GAMESERVERS, type KubeObject, PODS, SECRETS } from '../../../src/agones/testing/index'
import type { ObjectStore } from '../../../src/agones/testing/kubernetes/store'
import type { Violation } from './audit'

/** Records, for each launch, the game servers of the cluster that ever carried its marks. */
export class Carriers {
  readonly violations: Violation[] = []
  private readonly names = new Map<string, Set<string>>()
  private readonly told = new Set<string>()
  private readonly marks = new Map<string, string>()

  constructor(
    private readonly store: ObjectStore,
    /**
     * Whether a trouble has changed or deleted an object. A game server that is told after that may have lost its
     * claim.
     */
    private readonly wasTouched: (name: string) => boolean,
  ) {
    store.subscribe(({ resource, object }) => {
      if (resource === GAMESERVERS) this.hear(object)
      if (resource === PODS) this.hearTold(object)
    })
  }

  /** Returns the names of the game servers that ever carried the marks of an attempt. */
  of(instanceId: string, attempt: number): ReadonlySet<string> {
    return this.names.get(`${instanceId}#${attempt}`) ?? new Set()
  }

  /**
   * Checks that a game server gets the configuration of a launch only if it owns the claim, the secret of that launch.
   * Two game servers may carry the marks of the same launch.
   */
  private hearTold({ metadata }: KubeObject): void {
    const { uid, name, namespace, annotations = {}, ownerReferences = [] } = metadata
    if (annotations[ANNOTATION.configuration] === undefined || this.told.has(uid)) return
    this.told.add(uid)
    const instanceId = annotations[ANNOTATION.instance] ?? ''
    const claim = gameServerName('simulated', instanceId, Number(annotations[ANNOTATION.attempt]))
    const owner = this.store.find(SECRETS, namespace, claim)?.metadata.ownerReferences?.[0]?.uid
    if (ownerReferences.some((one) => one.uid === owner) || this.wasTouched(claim) || this.wasTouched(name)) return
    const message = `${name} was told that it is ${instanceId}, and ${claim} is ${owner ?? 'nobody'}'s`
    this.violations.push({ invariant: 'aServerIsClaimedBeforeItIsTold', message })
  }

  private hear({ metadata }: KubeObject): void {
    const { uid, name, annotations = {} } = metadata
    const instanceId = annotations[ANNOTATION.instance]
    if (instanceId === undefined) return
    const mark = `${instanceId}#${annotations[ANNOTATION.attempt]}`
    const before = this.marks.get(uid)
    if (before !== undefined && before !== mark)
      this.violations.push({ invariant: 'aServerServesOneLaunch', message: `${name} was ${before} and is ${mark}` })
    this.marks.set(uid, mark)
    const known = this.names.get(mark) ?? new Set()
    this.names.set(mark, known.add(name))
  }
}
