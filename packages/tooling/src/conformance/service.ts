import type { Matchyard } from '@matchyard/core'
import type { MatchyardApp } from '@matchyard/http'
import { type Answer, type CallOptions, send } from './client'
import { Stream } from './stream'

/** A node of the service in this process. Each answer is checked against the node's OpenAPI document. */
export interface Service {
  readonly matchyard: Matchyard
  readonly app: MatchyardApp
  send(what: string, options?: CallOptions): Promise<Answer>
  stream(path: string, headers: Readonly<Record<string, string>>): Promise<Stream>
}

/** The functions that read and check answers: those of this source tree, or those of an older release. */
export interface Readers {
  readonly send: typeof send
  readonly openStream: typeof Stream.open
}

const HERE: Readers = { send, openStream: (...call) => Stream.open(...call) }

export const serviceOf = (matchyard: Matchyard, app: MatchyardApp, readers = HERE): Service => ({
  matchyard,
  app,
  send: (what, options) => readers.send(app, what, options),
  stream: (path, headers) => readers.openStream(app, path, headers),
})
