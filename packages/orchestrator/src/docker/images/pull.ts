import type { AuthConfig } from 'dockerode'
import { asking, type Engine, statusOf, wordsOf } from '../engine'

export interface PullLimits {
  /** The most bytes that a pull may download; the layers are compressed. */
  readonly maxBytes: number
  readonly timeoutMs: number
}

export type PullResult = { readonly ok: true } | { readonly ok: false; readonly why: PullFault; readonly words: string }
export type PullFault = 'not_found' | 'platform' | 'too_large' | 'too_slow' | 'other'

/** The most layers that the engine may report for a pull. Engines run no image with more than 127 layers. */
const MOST_LAYERS = 1_000
/** The most characters of one row of the engine's report: an error may quote the response of a registry. */
const MOST_ROW = 1024 * 1024

/** One row of the engine's report about a pull. */
interface Progress {
  readonly id?: string
  readonly status?: string
  readonly error?: string
  readonly progressDetail?: { readonly total?: number }
}

/** Pulls an image, and cancels the pull when the download is too large or takes too long. */
export async function pullImage(
  engine: Engine,
  reference: string,
  credentials: AuthConfig | undefined,
  limits: PullLimits,
  tell: (line: string) => void,
): Promise<PullResult> {
  const timeout = AbortSignal.timeout(limits.timeoutMs)
  const options = { abortSignal: timeout, ...(credentials === undefined ? {} : { authconfig: credentials }) }
  try {
    const rows = (await asking(engine.patient.pull(reference, options))) as NodeJS.ReadableStream
    return await follow(rows, limits.maxBytes, tell)
  } catch (error) {
    if (timeout.aborted) return fault('too_slow', `no end after ${limits.timeoutMs / 1_000} s`)
    if (statusOf(error) === undefined) throw error
    return fault(faultOf(wordsOf(error), statusOf(error)), wordsOf(error))
  }
}

async function follow(
  rows: NodeJS.ReadableStream,
  maxBytes: number,
  tell: (line: string) => void,
): Promise<PullResult> {
  const layers = new Map<string, number>()
  let bytes = 0
  for await (const { id, status, error, progressDetail } of jsonRows(rows)) {
    if (error !== undefined) return fault(faultOf(error, undefined), error)
    if (status === 'Downloading' && id !== undefined) {
      const size = progressDetail?.total ?? 0
      bytes += size - (layers.get(id) ?? 0)
      layers.set(id, size)
      if (layers.size > MOST_LAYERS) return fault('too_large', `more than ${MOST_LAYERS} layers`)
    }
    // The return closes the connection, and so the engine cancels the pull.
    if (bytes > maxBytes) return fault('too_large', `${bytes} bytes to download`)
    if (status !== undefined && /^(Pulling from|Digest:|Status:)/.test(status)) tell(status)
  }
  return { ok: true }
}

async function* jsonRows(stream: NodeJS.ReadableStream): AsyncGenerator<Progress> {
  let rest = ''
  // Decodes across chunks: a chunk may end within a character.
  stream.setEncoding('utf8')
  for await (const chunk of stream) {
    const rows = (rest + chunk).split('\n')
    rest = rows.pop() ?? ''
    if (rest.length > MOST_ROW)
      throw new Error(`the engine's report of a pull has a row of more than ${MOST_ROW} characters`)
    for (const row of rows) if (row.trim() !== '') yield JSON.parse(row) as Progress
  }
  if (rest.trim() !== '') yield JSON.parse(rest) as Progress
}

function faultOf(words: string, status: number | undefined): PullFault {
  if (/no matching manifest|does not match the specified platform|no match for platform/i.test(words)) return 'platform'
  if (status === 404 || /not found|manifest unknown|denied|unauthorized|no basic auth|does not exist/i.test(words))
    return 'not_found'
  return 'other'
}

const fault = (why: PullFault, words: string): PullResult => ({ ok: false, why, words })
