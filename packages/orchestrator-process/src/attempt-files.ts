import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Instant } from '@matchyard/core'
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
  readonly tcpPorts: readonly { readonly host: string; readonly port: number }[]
  readonly cgroups: readonly string[]
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

interface Files {
  'plan.json': LaunchPlan
  'record.json': LaunchRecord
  'claim.json': Claim
  'status.json': StartedStatus
  'exit.json': ExitStatus
  'failed.json': StartFailure
  'stop.json': { readonly graceMs: number }
  'ready.json': { readonly at: Instant }
}

/** One attempt's folder: the record shared by the service, its supervisor, and the service's next life. */
export class AttemptFiles {
  constructor(
    readonly directory: string,
    readonly instanceId: string,
    readonly attempt: number,
  ) {}

  path(name: string): string {
    return join(this.directory, name)
  }

  /** undefined when it is not there. Files are written whole, so what is there can be read. */
  async read<N extends keyof Files>(name: N): Promise<Files[N] | undefined> {
    try {
      return JSON.parse(await readFile(this.path(name), 'utf8')) as Files[N]
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  async write<N extends keyof Files>(name: N, content: Files[N]): Promise<void> {
    const draft = this.path(`${name}.${process.pid}.service`)
    await writeFile(draft, JSON.stringify(content), { mode: 0o600 })
    await rename(draft, this.path(name))
  }

  /** Takes the claim away from a supervisor that has not come yet. False when one was first. */
  async closeClaim(): Promise<boolean> {
    const draft = this.path(`claim.json.${process.pid}.service`)
    try {
      await writeFile(draft, JSON.stringify({ closed: true }), { mode: 0o600 })
      await link(draft, this.path('claim.json'))
      return true
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false
      throw error
    } finally {
      await rm(draft, { force: true })
    }
  }
}

export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

export const isMissing = (error: unknown): boolean => hasCode(error, 'ENOENT', 'ENOTDIR')

export const makePrivate = (directory: string) => mkdir(directory, { recursive: true, mode: 0o700 })

/** The names in a folder, none when it is not there. */
export async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}
