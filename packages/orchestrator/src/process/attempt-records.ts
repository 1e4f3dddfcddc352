import type { Instant, Readiness, TierSize } from '@matchyard/core'
import type { ProcessIdentity } from './proc'

/** What the supervisor is told; `plan.json`. */
export interface LaunchPlan {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly sandboxed: boolean
  readonly cgroups: readonly string[]
  readonly logBytes: number
}

/** Written before anything is started; `record.json`. */
export interface LaunchRecord {
  readonly instanceId: string
  readonly attempt: number
  readonly buildId: string
  readonly bootId: string | null
  readonly createdAt: Instant
  /** Absent in what an earlier release recorded: then it is not looked who has bound a port. */
  readonly readiness?: Readiness
  readonly tcpPorts: readonly RecordedPort[]
  readonly udpPorts?: readonly RecordedPort[]
  readonly cgroups: readonly string[]
  /** What it takes of the node's room. Absent in what an earlier release recorded. */
  readonly tierSize?: TierSize
}

export interface RecordedPort {
  /** Where players connect. */
  readonly host: string
  readonly port: number
  readonly variable?: string
}

/** Who launched, decided once and for all; `claim.json`. `closed`: nobody did and nobody may any more. */
export type Claim = ProcessIdentity | { readonly closed: true }

/** `status.json`: the direct child, and pid 1 of its sandbox. */
export interface StartedStatus {
  readonly at: Instant
  readonly main: ProcessIdentity
  readonly inner: ProcessIdentity | null
}

/** `exit.json`. */
export interface ExitStatus {
  readonly code: number | null
  readonly signal: string | null
  readonly reason?: string
  readonly at: Instant
}

/** `failed.json`: the process could not be created at all. */
export interface StartFailure {
  readonly code: string | null
  readonly message: string
}
