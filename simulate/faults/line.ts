import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";

/** What becomes of a request: it does not arrive; or it does, and its sender hangs up at once or loses the answer. */
export type Loss = "request" | "patience" | "answer";

/** A sender who hangs up does so after this time, when what was asked has begun. */
const PATIENCE_MS = 10;

/**
 * A TCP proxy in front of some ends, which take its connections in turns. It breaks, delays and holds back what passes
 * when it is told to.
 */
export class Line {
  readonly #sockets = new Map<Socket, number>();
  readonly #server = createServer({ allowHalfOpen: true }, (client) => this.#join(client));
  #connections = 0;
  #lateMs = 0;
  #held: Promise<unknown> = Promise.resolve();
  /** Decides about a request, for a line of HTTP. */
  loss: () => Loss | undefined = () => undefined;

  private constructor(private readonly ends: number[]) {}

  /** To these ports of this machine. */
  static async open(ends: number[]): Promise<Line> {
    const line = new Line(ends);
    line.#server.listen(0, "127.0.0.1");
    await once(line.#server, "listening");
    return line;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Breaks all connections, or those to one end. */
  cut(end?: number): void {
    for (const [socket, to] of this.#sockets) if (end === undefined || to === end) socket.destroy();
  }

  async slow(lateMs: number, forMs: number): Promise<void> {
    this.#lateMs += lateMs;
    await pause(forMs);
    this.#lateMs -= lateMs;
  }

  async silence(forMs: number): Promise<void> {
    const over = pause(forMs);
    this.#held = Promise.all([this.#held, over]);
    await over;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.cut();
    await closed;
  }

  #join(client: Socket): void {
    const end = this.ends[this.#connections++ % this.ends.length] as number;
    const server = connect({ port: end, host: "127.0.0.1", allowHalfOpen: true });
    const lose = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.#sockets.set(socket.setNoDelay(), end);
      socket.on("error", lose);
      socket.once("close", () => this.#sockets.delete(socket));
    }
    let isAnswerLost = false;
    const requests = async () => {
      const loss = this.loss();
      await this.#passage();
      if (loss === "request") lose();
      if (loss === "patience") setTimeout(lose, PATIENCE_MS);
      if (loss === "answer") isAnswerLost = true;
    };
    const answers = async () => {
      await this.#passage();
      if (isAnswerLost) lose();
    };
    pipeline(client, passing(requests), server).catch(lose);
    pipeline(server, passing(answers), client).catch(lose);
  }

  async #passage(): Promise<void> {
    await this.#held;
    if (this.#lateMs > 0) await pause(this.#lateMs);
  }
}

/** Hands pieces on, each after the wait for it is over. */
const passing = (wait: () => Promise<void>) =>
  async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      await wait();
      yield piece;
    }
  };
