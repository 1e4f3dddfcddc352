import type { KubeApi } from './api'
import { type KubeObject, PODS } from './objects'
import { statusOf, writePod } from './pod-status'

export interface Node {
  readonly name: string
  readonly address: string
  /** Maximum number of pods on the node. */
  capacity: number
  /** Whether the node is cordoned: it takes no further pods. */
  cordoned: boolean
}

/** Assigns pods to nodes. */
export class Scheduler {
  constructor(
    private readonly api: KubeApi,
    private readonly nodes: readonly Node[],
    private readonly hasEnded: (uid: string) => boolean,
  ) {}

  schedule(pod: KubeObject): void {
    const node = this.nodes.find((one) => !one.cordoned && this.on(one.name) < one.capacity)
    writePod(this.api, pod, (object) => {
      if (node === undefined) {
        const message = `0/${this.nodes.length} nodes are available: ${this.nodes.length} Insufficient cpu.`
        object.status.conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }]
        return
      }
      object.spec.nodeName = node.name
      object.status = {
        phase: 'Pending',
        podIP: '10.0.0.1',
        podIPs: [{ ip: '10.0.0.1' }],
        conditions: [{ type: 'PodScheduled', status: 'True' }],
        containerStatuses: [statusOf(object, { waiting: { reason: 'ContainerCreating' } })],
      }
    })
  }

  private on(node: string): number {
    return this.api.store
      .list(PODS)
      .filter(({ spec, metadata }) => spec.nodeName === node && !this.hasEnded(metadata.uid)).length
  }
}
