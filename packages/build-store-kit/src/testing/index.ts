export * from './archives'
