import { asking, EngineUnavailable, engineAt, wordsOf } from './engine'
import { imageConfig } from './images/image-config'
import { shortfalls } from './limitations'

/** What an engine is and has, looked at without changing anything of it. */
export interface EngineReport {
  readonly version: string
  readonly architecture: string
  readonly hasBaseImage: boolean
  /** One sentence for each thing that it does not enforce. */
  readonly limitations: readonly string[]
}

/** Throws an error whose message says why the engine cannot be used: no answer, no address, no client. */
export async function examineEngine(engineHost: string, baseImage: string): Promise<EngineReport> {
  const engine = await engineAt(engineHost)
  const { Version: version, Arch: architecture } = await asking(engine.api.version()).catch((error: unknown) => {
    if (!(error instanceof EngineUnavailable)) throw error
    throw new Error(`${error.message} (${wordsOf(error.cause)})`, { cause: error })
  })
  const hasBaseImage = (await imageConfig(engine, baseImage)) !== undefined
  return { version, architecture, hasBaseImage, limitations: await shortfalls(engine) }
}
