export * from './list-keys'
export { type MintKeyInput, mintKey } from './mint-key'
export * from './revoke-key'
