import type { Instant, Readiness, TierSize } from '@matchyard/core'
import type { ProcessIdentity } from './proc'

/** Plan of the supervisor; `plan.json`. */
export interface LaunchPlan {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly sandboxed: boolean
  readonly cgroups: readonly string[]
  readonly logBytes: number
}

/** Record of the launch, written before any process is started; `record.json`. */
export interface LaunchRecord {
  readonly instanceId: string
  readonly attempt: number
  readonly buildId: string
  readonly bootId: string | null
  readonly createdAt: Instant
  /**
   * Data for the readiness check. Absent in records of an earlier release: then the owners of ports are not checked.
   */
  readonly readiness?: Readiness
  readonly tcpPorts: readonly RecordedPort[]
  readonly udpPorts?: readonly RecordedPort[]
  readonly cgroups: readonly string[]
  /** Size that counts towards the limits of the node. Absent in records of an earlier release. */
  readonly tierSize?: TierSize
}

export interface RecordedPort {
  /** Address that players connect to. */
  readonly host: string
  readonly port: number
  readonly variable?: string
}

/**
 * The supervisor that may launch the server, decided once; `claim.json`. `closed`: no process launched the server, and
 * none may.
 */
export type Claim = ProcessIdentity | { readonly closed: true }

/** Content of `status.json`: the direct child, and pid 1 of its sandbox. */
export interface StartedStatus {
  readonly at: Instant
  readonly main: ProcessIdentity
  readonly inner: ProcessIdentity | null
}

/** Content of `exit.json`. */
export interface ExitStatus {
  readonly code: number | null
  readonly signal: string | null
  readonly reason?: string
  readonly at: Instant
}

/** Content of `failed.json`: the process could not be created. */
export interface StartFailure {
  readonly code: string | null
  readonly message: string
}
