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

/** One installation of an orchestrator on this machine. At first it is open and runs no servers. */
export interface OrchestratorUnderTest {
  readonly orchestrator: Orchestrator
  /** Returns what `launch` needs to run a fixture: a ZIP build, or an image made of the fixture's files. */
  build(name: FixtureName): Promise<LaunchBuild>
  /**
   * Abandons the orchestrator without closing it, as in a crash, and opens another one on the same data. From then on, `orchestrator` is
   * the new one.
   */
  reopen(): Promise<Orchestrator>
  /** Does the same as `reopen`, after the loss of all data that the adapter keeps. Running servers go on. */
  reopenWithoutData(): Promise<Orchestrator>
  /** Empties every file that the adapter keeps about one instance, as a power failure may do. Does nothing when there are no files. */
  damage(instanceId: string): Promise<void>
  /** Opens another installation with its own data on the same machine. `dispose` disposes of it too. */
  neighbour(): Promise<Orchestrator>
  /** Ends all running servers, closes every orchestrator and removes the data. */
  dispose(): Promise<void>
}

/** Harness that the author of an orchestrator provides. */
export interface OrchestratorHarness {
  /**
   * Opens an installation. `limits` bounds the servers that may run at once, also after a `reopen`; without `limits`
   * there is no bound.
   */
  open(limits?: NodeLimits): Promise<OrchestratorUnderTest>
}

/** A guarantee of the port, as a test case. Register each with your own test runner: `test(item.name, () => item.run(harness))`. */
export interface OrchestratorCase {
  readonly area: string
  readonly name: string
  run(harness: OrchestratorHarness): Promise<void>
}

/**
 * Returns a function that makes the test cases of one area of the suite. A case opens an installation, runs the body,
 * and always disposes of the installation.
 */
export const area = (area: string) => (name: string, body: (subject: OrchestratorUnderTest) => Promise<void>) =>
  limitedArea(area)(name, undefined, body)

/** Returns a function that makes cases with an installation that limits the servers running at once. */
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
