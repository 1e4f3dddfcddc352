/**
 * Fields that sentences of errors, warnings and problems name, by their paths in the library. Callers over HTTP read the JSON names instead,
 * which the HTTP package puts in their place.
 */
export const SPOKEN_FIELDS = [
  'generateSecret',
  'inviteCodeConfig.enabled',
  'inviteCodeConfig.length',
  'jwksUrl',
  'matchmaking.lateJoin',
  'matchTtlSeconds',
  'maxPlayers',
  'maxSizeDifference',
  'partialAfterSeconds',
  'paymentMethodToken',
  'serverSettings.environment',
  'serverSettings.networkPorts',
  'serverSettings.region',
  'serverSettings.source',
  'serverSettings.version',
  'serverSettings.versionTag',
  'serverSettings.warm',
] as const
type SpokenField = (typeof SPOKEN_FIELDS)[number]

/** Calls that sentences name: those of the embeddable object. Callers over HTTP read the route instead. */
export const SPOKEN_CALLS = ['matches.assign', 'queues.create', 'queues.list', 'ratings.set', 'secrets.set'] as const
export type SpokenCall = (typeof SPOKEN_CALLS)[number]

/** Returns a field in the form in which a sentence names it. */
export const spokenField = (path: SpokenField): string => `\`${path}\``

/** Returns a call in the form in which a sentence names it. */
export const spokenCall = (call: SpokenCall): string => `\`${call}\``
