import type { LaunchBuild, NodeLimits, Orchestrator } from '@matchyard/core/ports'

/**
 * The builds that the suite launches; their files are in `ORCHESTRATOR_FIXTURES`.
 * `probe` runs; `scripted` is the probe behind a start script without `exec`; `not-executable` is a text without an interpreter line;
 * `no-interpreter` names one that does not exist;
 * `missing` was never uploaded.
 */
export type FixtureName = 'probe' | 'scripted' | 'not-executable' | 'no-interpreter' | 'missing'

/** One installation on this machine, empty and opened. */
export interface OrchestratorUnderTest {
  readonly orchestrator: Orchestrator
  /** What `launch` needs to run a fixture: a ZIP build, or an image that was made of the fixture's files. */
  build(name: FixtureName): Promise<LaunchBuild>
  /**
   * Abandons the orchestrator without closing it, as a crash does, and opens another one on the same data.
   * `orchestrator` is the new one from then on.
   */
  reopen(): Promise<Orchestrator>
  /** `reopen` after everything that the adapter keeps itself is lost; what runs goes on. */
  reopenWithoutData(): Promise<Orchestrator>
  /** Empties every file that the adapter keeps of one instance, as a power cut may; an adapter that keeps none has none to empty. */
  damage(instanceId: string): Promise<void>
  /** Another installation with data of its own beside this one. Disposed of with it. */
  neighbour(): Promise<Orchestrator>
  /** Ends what still runs, closes every orchestrator, removes the data. */
  dispose(): Promise<void>
}

/** What the author of an orchestrator supplies. */
export interface OrchestratorHarness {
  /** `limits`: what it may run at once, after a `reopen` too; nothing is limited where they are left out. */
  open(limits?: NodeLimits): Promise<OrchestratorUnderTest>
}

/** One guarantee of the port. Register each with your own runner: `test(item.name, () => item.run(harness))`. */
export interface OrchestratorCase {
  readonly area: string
  readonly name: string
  run(harness: OrchestratorHarness): Promise<void>
}

/** A case: opens an installation, runs the body, disposes of it whatever happens. */
export const area = (area: string) => (name: string, body: (subject: OrchestratorUnderTest) => Promise<void>) =>
  limitedArea(area)(name, undefined, body)

/** The same with an installation that may not run everything at once. */
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
