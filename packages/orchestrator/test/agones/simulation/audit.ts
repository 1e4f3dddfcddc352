import type { GameServer } from '@matchyard/core'
import { isComingUp, isLive, MAX_LAUNCH_ATTEMPTS } from '@matchyard/core/domain'
import type { Commit } from '@matchyard/core/ports'
import type { FakeClock } from '@matchyard/testkit'
import { aServerFollowsItsTable, metersRunForward, type Snapshot } from '@matchyard/testkit/simulation'
import { gameServerName } from '../../../src/agones/names'
import type { Carriers } from './carriers'
import type { Containers } from './containers'

export interface Violation {
  readonly invariant: string
  readonly message: string
}

/** Compares each change of a game server's record with the running containers, at the time of the commit. */
export class Audit {
  readonly records = new Map<string, GameServer>()
  readonly violations: Violation[] = []
  /** Number of times that each outcome occurred. */
  readonly outcomes = new Map<string, number>()

  constructor(
    private readonly clock: FakeClock,
    private readonly containers: Containers,
    private readonly carriers: Carriers,
    /** Names of objects that a trouble has changed or deleted. */
    private readonly touched: ReadonlySet<string>,
    private readonly launchTimeoutMs: number,
  ) {
    containers.whenStopped = ({ instanceId, attempt, name }) => {
      const record = this.records.get(instanceId)
      if (record?.status !== 'running' || record.attempt !== attempt || record.relaunchAt !== null) return
      if (!touched.has(name)) this.broke('whatPlaysIsLeftAlone', `${instanceId}#${attempt} is asked to end by nobody`)
    }
  }

  committed({ writes }: Commit): void {
    for (const write of writes) {
      if (write.kind !== 'server' || !('put' in write)) continue
      const { put: is } = write
      const was = this.records.get(is.id)
      this.records.set(is.id, is)
      this.count(`server ${is.status}`)
      this.judgeByCore(was, is)
      if (was !== undefined) this.judge(was, is)
    }
  }

  broke(invariant: string, message: string): void {
    this.violations.push({ invariant, message })
  }

  private judgeByCore(was: GameServer | undefined, is: GameServer): void {
    const of = (server: GameServer | undefined) =>
      ({
        at: this.clock.now(),
        servers: new Map(server === undefined ? [] : [[server.id, server]]),
      }) as unknown as Snapshot
    const view = { now: of(is), before: of(was), history: new Map(), answers: [] }
    for (const message of metersRunForward(view)) this.broke('eachSecondIsBilledOnce', message)
    for (const message of aServerFollowsItsTable(view)) this.broke('aServerFollowsItsTable', message)
  }

  private judge(was: GameServer, is: GameServer): void {
    const container = this.containers.of(was.id, was.attempt)
    const runs = container !== undefined && container.endedAt === undefined && !container.isCondemned
    const ends = was.status === 'running' && (is.status === 'failed' || is.status === 'stopped')
    const crashes = was.status === 'running' && is.status === 'running' && is.crashesInARow > was.crashesInARow
    if ((ends || (crashes && !this.isOverdue(was))) && runs) {
      this.broke('whatRunsIsNotGivenUp', `${was.id}#${was.attempt} runs, and its record says: ${is.stopReason}`)
    }
    if (was.status !== 'running' && is.status === 'running' && !runs) {
      // A container that ended a moment ago may still be reported as running; a container that never existed may not.
      const carriers = [...this.carriers.of(is.id, is.attempt)]
      // The kubelet delivers the configuration to a waiting game server a moment after the cluster has stored it.
      const waited = carriers.some((name) => this.containers.up.some((one) => one.isWarm && one.name === name))
      if (container === undefined && !waited)
        this.broke('whatIsToldRuns', `${is.id}#${is.attempt} is running, and never was`)
    }
    if (
      was.status === 'running' &&
      crashes &&
      container === undefined &&
      was.relaunchAt === null &&
      was.launchedAt !== null
    ) {
      this.count('a relaunch came to nothing')
    }
    if (was.status === 'launching' && is.status === 'failed') this.judgeFailedLaunch(was, is)
    if (was.status === 'running' && ends && is.status === 'failed') this.judgeFailure(was, is)
  }

  /**
   * Whether a restart has taken longer than a launch may take. Core then counts one more crash, even if a container
   * runs.
   */
  private isOverdue(was: GameServer): boolean {
    return isComingUp(was) && this.clock.now() >= (was.launchedAt ?? Number.POSITIVE_INFINITY) + this.launchTimeoutMs
  }

  /** Checks that a launch fails before its deadline only if all of its attempts have failed in the cluster. */
  private judgeFailedLaunch(was: GameServer, is: GameServer): void {
    this.count('launch failed')
    if (this.clock.now() >= was.launchDeadlineAt) return
    const spoiled = this.spoiledAttempts(was.id, was.attempt)
    if (spoiled >= MAX_LAUNCH_ATTEMPTS) return
    const left = Math.round((was.launchDeadlineAt - this.clock.now()) / 1_000)
    this.broke(
      'noMatchIsLostBeforeItsDeadline',
      `${is.id} failed ${left} s before its deadline, and ${spoiled} of its attempts came to nothing: ${is.stopReason}`,
    )
  }

  /** Checks that a running server fails only if one of its containers has ended. */
  private judgeFailure(was: GameServer, is: GameServer): void {
    const ended = this.containers.all.some(
      (one) => one.instanceId === was.id && (one.endedAt !== undefined || one.isCondemned),
    )
    if (ended || this.spoiledAttempts(was.id, was.attempt) > 0) return
    this.broke(
      'noMatchIsLostBeforeItsDeadline',
      `${is.id} ran, none of its processes ended, and it failed: ${is.stopReason}`,
    )
  }

  private spoiledAttempts(id: string, last: number): number {
    const attempts = Array.from({ length: last }, (_, index) => index + 1)
    return attempts.filter((attempt) => {
      const names = [gameServerName('simulated', id, attempt), ...this.carriers.of(id, attempt)]
      return names.some((name) => this.touched.has(name) || this.containers.hasEnded(name))
    }).length
  }

  count(outcome: string): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1)
  }

  get live(): readonly GameServer[] {
    return [...this.records.values()].filter(isLive)
  }
}
