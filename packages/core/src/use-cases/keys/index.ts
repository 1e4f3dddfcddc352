export * from './list-keys'
export { type MintedKey, type MintKeyInput, mintKey } from './mint-key'
export * from './revoke-key'
