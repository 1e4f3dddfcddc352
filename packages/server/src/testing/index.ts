export { environmentSchema, VARIABLES } from '../config/environment'
export { freePort } from './free-port'
