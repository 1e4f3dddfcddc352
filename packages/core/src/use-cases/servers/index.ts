export * from './create-server'
export * from './read-servers'
export * from './self-server'
export * from './stop-server'
