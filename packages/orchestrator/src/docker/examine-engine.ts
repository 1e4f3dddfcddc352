import { asking, EngineUnavailable, engineAt, wordsOf } from './engine'
import { imageConfig } from './images/image-config'
import { shortfalls } from './limitations'

/** Report about an engine; the examination does not change the engine. */
export interface EngineReport {
  /** Version of the engine. */
  readonly version: string
  /** Processor architecture of the engine, for example `x86_64`. */
  readonly architecture: string
  /** Whether the engine has the base image of ZIP builds. */
  readonly hasBaseImage: boolean
  /** One sentence for each limit or protection that the engine does not enforce. */
  readonly limitations: readonly string[]
}

/**
 * Returns a report about an engine. Rejects with the reason when the engine is unreachable, when the address is wrong,
 * or when the client package cannot be used.
 */
export async function examineEngine(engineHost: string, baseImage: string): Promise<EngineReport> {
  const engine = await engineAt(engineHost)
  const { Version: version, Arch: architecture } = await asking(engine.api.version()).catch((error: unknown) => {
    if (!(error instanceof EngineUnavailable)) throw error
    throw new Error(`${error.message} (${wordsOf(error.cause)})`, { cause: error })
  })
  const hasBaseImage = (await imageConfig(engine, baseImage)) !== undefined
  return { version, architecture, hasBaseImage, limitations: await shortfalls(engine) }
}
