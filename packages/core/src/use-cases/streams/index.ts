export { LobbyFeeds } from './lobby-feeds'
export { LobbyStream, MAX_WAITING_MESSAGES, type StreamMessage, type StreamReader } from './lobby-stream'
export { type WatchLobbyInput, watchLobby } from './watch-lobby'
