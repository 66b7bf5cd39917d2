/** Where calls go and whose they are. The key lives here and in its field, nowhere else. */
export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
}
