import type { LaunchBuild, NodeLimits, Orchestrator } from '@matchyard/core/ports'

/**
 * The builds that the suite launches; their files are in `ORCHESTRATOR_FIXTURES`.
 * - `probe` runs.
 * - `scripted` is the probe behind a start script without `exec`.
 * - `not-executable` is a text without an interpreter line.
 * - `no-interpreter` names an interpreter that does not exist.
 * - `missing` was never uploaded.
 */
export type FixtureName = 'probe' | 'scripted' | 'not-executable' | 'no-interpreter' | 'missing'

/** One installation of an orchestrator on this machine. At first the orchestrator is open and runs no servers. */
export interface OrchestratorUnderTest {
  readonly orchestrator: Orchestrator
  /** Returns the build that `launch` needs to run a fixture: a ZIP build, or an image made of the fixture's files. */
  build(name: FixtureName): Promise<LaunchBuild>
  /**
   * Abandons the orchestrator without closing it, as in a crash, and opens a new orchestrator on the same data. From
   * then on, the field `orchestrator` holds the new orchestrator.
   */
  reopen(): Promise<Orchestrator>
  /** Does the same as `reopen`, but first removes all data that the adapter keeps. Running servers continue to run. */
  reopenWithoutData(): Promise<Orchestrator>
  /**
   * Empties every file that the adapter keeps about one instance, as a power failure may do. Does nothing when the
   * adapter keeps no files.
   */
  damage(instanceId: string): Promise<void>
  /**
   * Opens another installation with separate data on the same machine. `dispose` also disposes of the other
   * installation.
   */
  neighbour(): Promise<Orchestrator>
  /** Ends all running servers, closes every orchestrator and removes the data. */
  dispose(): Promise<void>
}

/** Functions that the author of an orchestrator provides for the conformance suite. */
export interface OrchestratorHarness {
  /**
   * Opens an installation. `limits` bounds the servers that may run at the same time, also after a `reopen`; without
   * `limits` there is no bound.
   */
  open(limits?: NodeLimits): Promise<OrchestratorUnderTest>
}

/**
 * A guarantee of the orchestrator port, as a test case. Register each case with your own test runner: `test(item.name,
 * () => item.run(harness))`.
 */
export interface OrchestratorCase {
  readonly area: string
  readonly name: string
  run(harness: OrchestratorHarness): Promise<void>
}

/**
 * Returns a function that makes the test cases of one area of the suite. A case opens an installation, runs the body,
 * and then always disposes of the installation.
 */
export const area = (area: string) => (name: string, body: (subject: OrchestratorUnderTest) => Promise<void>) =>
  limitedArea(area)(name, undefined, body)

/** Returns a function that makes test cases with an installation that limits the servers running at the same time. */
export const limitedArea =
  (area: string) =>
  (
    name: string,
    limits: NodeLimits | undefined,
    body: (subject: OrchestratorUnderTest) => Promise<void>,
  ): OrchestratorCase => ({
    area,
    name: `${area}: ${name}`,
    async run(harness) {
      const subject = await harness.open(limits)
      try {
        await body(subject)
      } finally {
        await subject.dispose()
      }
    },
  })
