export { checkLinearizable, type Operation, type SequentialModel, type Verdict } from './check'
export {
  type LobbyAnswer,
  type LobbyCall,
  type LobbyOperation,
  type LobbyRegister,
  lobbyRegister,
} from './lobby-register'
