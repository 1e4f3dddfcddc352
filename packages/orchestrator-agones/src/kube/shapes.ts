/* What is read of the platform's objects. Everything may be missing: they were written by others. */

export interface KubeMeta {
  readonly name: string
  readonly namespace?: string
  readonly uid: string
  readonly resourceVersion: string
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly finalizers?: readonly string[]
  readonly ownerReferences?: readonly { readonly kind?: string; readonly uid: string }[]
}

export interface KubeItem {
  readonly metadata: KubeMeta
}

export interface GameServerItem extends KubeItem {
  readonly status?: {
    readonly state?: string
    readonly address?: string
    readonly ports?: readonly { readonly name: string; readonly port: number }[]
  }
}

export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string }
  readonly running?: { readonly startedAt?: string }
  readonly terminated?: {
    readonly exitCode?: number
    readonly signal?: number
    readonly reason?: string
    readonly message?: string
    readonly startedAt?: string
    readonly finishedAt?: string
  }
}

export interface PodItem extends KubeItem {
  readonly spec?: { readonly nodeName?: string }
  readonly status?: {
    readonly phase?: string
    readonly reason?: string
    readonly conditions?: readonly {
      readonly type: string
      readonly status: string
      readonly reason?: string
      readonly message?: string
    }[]
    readonly containerStatuses?: readonly { readonly name: string; readonly state?: ContainerState }[]
  }
}

export interface SecretItem extends KubeItem {
  readonly data?: Readonly<Record<string, string>>
}

export interface FleetItem extends KubeItem {
  readonly spec?: { readonly replicas?: number }
}

export interface KubeList<T extends KubeItem> {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string }
  readonly items: readonly T[]
}

export interface KubeStatus {
  readonly kind: 'Status'
  readonly code?: number
  readonly reason?: string
  readonly message?: string
}

export interface WatchEvent<T extends KubeItem> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: T
}
