/**
 * Ways through the house that an engineer follows to understand one thing that it does, function by function: each is called, or
 * named, by one before it. Left out is what every way shares and nobody has to look at to follow it (ports, helpers of one line,
 * the engine).
 */
export interface Walk {
  readonly name: string
  /** What it may come to. */
  readonly atMost: { readonly files: number; readonly lines: number }
  /** What it came to before the rules went home (docs/adr/0067-rules-go-home.md). */
  readonly before: { readonly files: number; readonly lines: number }
  /** `path#function`, or `path#Class.method`, in the order of reading. */
  readonly steps: readonly string[]
}

export const WALKS: readonly Walk[] = [
  {
    name: 'a player cancels matchmaking',
    atMost: { files: 7, lines: 165 },
    before: { files: 13, lines: 211 },
    steps: [
      'packages/http/src/routes/lobby-matchmaking.ts#cancel',
      'packages/core/src/use-cases/lobbies/cancel-matchmaking.ts#cancelMatchmaking',
      'packages/core/src/commit/transact.ts#change',
      'packages/core/src/commit/transact.ts#transact',
      'packages/core/src/commit/transact.ts#repeat',
      'packages/core/src/lobby/decide.ts#cancelMatchmaking',
      'packages/core/src/lobby/decide.ts#leaveQueue',
      'packages/core/src/commit/of-lobby.ts#ofLobby',
      'packages/core/src/commit/rows/lobby.ts#writeLobby',
      'packages/core/src/commit/rows/lobby.ts#writeTicket',
      'packages/core/src/lobby/evolve.ts#evolveLobbyAll',
      'packages/core/src/commit/transact.ts#apply',
    ],
  },
  {
    name: 'POST /v1/lobbies, its row, and who watches is told',
    atMost: { files: 12, lines: 350 },
    before: { files: 17, lines: 523 },
    steps: [
      'packages/http/src/routes/lobbies.ts#create',
      'packages/core/src/use-cases/lobbies/create-lobby.ts#createLobby',
      'packages/core/src/commit/transact.ts#transact',
      'packages/core/src/commit/transact.ts#repeat',
      'packages/core/src/lobby/new-lobby.ts#newLobby',
      'packages/core/src/commit/rows/lobby.ts#createLobby',
      'packages/core/src/commit/rows/lobby.ts#tellAbout',
      'packages/core/src/commit/transact.ts#apply',
      'packages/storage-sqlite/src/apply-commit.ts#applyCommit',
      'packages/storage-sqlite/src/apply-commit.ts#applyWrite',
      'packages/core/src/streams/node-streams.ts#NodeStreams.onSignal',
      'packages/core/src/streams/follower.ts#Follower.read',
      'packages/core/src/streams/follower.ts#OneAtATime.run',
      'packages/core/src/streams/follower.ts#OneAtATime.repeat',
      'packages/core/src/streams/lobby/lobby-stream.ts#LobbyLog.once',
      'packages/core/src/streams/lobby/lobby-stream.ts#LobbyLog.readPage',
      'packages/core/src/streams/lobby/lobby-stream.ts#LobbyStream.announce',
      'packages/http/src/sse/open-streams.ts#OpenStreams.pump',
      'packages/core/src/streams/pulled-stream.ts#PulledStream.next',
      'packages/core/src/streams/lobby/lobby-stream.ts#LobbyStream.take',
      'packages/http/src/sse/frame.ts#frameOf',
    ],
  },
  {
    name: 'a tick, a match, its server runs (the engine apart)',
    atMost: { files: 12, lines: 450 },
    before: { files: 16, lines: 693 },
    steps: [
      'packages/core/src/director/run-queue.ts#runQueue',
      'packages/core/src/director/director.ts#Director.refresh',
      'packages/core/src/director/director.ts#Director.readChanges',
      'packages/core/src/director/run-queue.ts#commitAll',
      'packages/core/src/director/run-queue.ts#settle',
      'packages/core/src/director/commit-match.ts#commitMatch',
      'packages/core/src/director/commit-match.ts#tryCommit',
      'packages/core/src/commit/open-match.ts#openMatch',
      'packages/core/src/commit/open-match.ts#serverFor',
      'packages/core/src/commit/open-server.ts#openServer',
      'packages/core/src/commit/rows/server.ts#createServer',
      'packages/core/src/match/decide.ts#findMatch',
      'packages/core/src/runtime/launch-server.ts#launchServer',
      'packages/core/src/runtime/launch-server.ts#launchInTurn',
      'packages/core/src/runtime/launch-server.ts#launchRound',
      'packages/core/src/runtime/launch-server.ts#attemptOrWait',
      'packages/core/src/runtime/attempts.ts#makeAttempt',
      'packages/core/src/runtime/attempts.ts#recordAttempt',
      'packages/core/src/runtime/observed.ts#becameReady',
      'packages/core/src/server/launch.ts#becomeReady',
      'packages/core/src/commit/consequences/server-moved.ts#serverMoved',
    ],
  },
]
