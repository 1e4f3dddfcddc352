export { type Given, given, type Then } from './given'
export { aLobby, aPlayer, aServer, lobbyIn, serverIn } from './samples'
