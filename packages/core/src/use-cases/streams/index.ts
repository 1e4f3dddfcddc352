export { LobbyFeeds } from './lobby-feeds'
export type { LobbyStream, StreamMessage } from './lobby-stream'
export { DEFAULT_STREAM_LIMITS, type StreamLimits } from './stream-limits'
export { type WatchLobbyInput, watchLobby } from './watch-lobby'
