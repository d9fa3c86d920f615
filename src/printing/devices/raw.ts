import { connect, type Socket } from "node:net";
import type { Address } from "../../outbound/wire/connections.js";
import { failureOf } from "../../outbound/wire/exchange.js";
import { type Device, type DeviceLimits, maybePrinted, NotPrinted, usualLimits } from "./device.js";

/**
 * A printer that prints whatever is written to its port, and answers nothing: it has it all once it closes its side of
 * the connection after us. Where it does not, nobody knows what it printed.
 */
export const rawPrinter = (
  addresses: Address[],
  port: number,
  { connectMs, answerMs }: DeviceLimits = usualLimits,
): Device => ({
  repeatable: false,
  async send({ content, signal, handOver }) {
    const socket = await open(addresses, port, connectMs, signal);
    try {
      await handOver();
      await write(socket, content, answerMs, signal);
      return null;
    } finally {
      socket.destroy();
    }
  },
  look: () => Promise.reject(new Error("a raw printer tells nothing")),
});

function open(addresses: Address[], port: number, withinMs: number, signal: AbortSignal): Promise<Socket> {
  const [first] = addresses as [Address];
  const socket = connect({ host: first.address, port, noDelay: true, allowHalfOpen: true });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail(new NotPrinted("No connection in time")), withinMs);
    const leave = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
    };
    const fail = (error: Error) => {
      leave();
      socket.destroy();
      reject(error);
    };
    const giveUp = () => fail(signal.reason);
    signal.addEventListener("abort", giveUp);
    socket.once("error", (error) => fail(new NotPrinted(failureOf(error).detail)));
    socket.once("connect", () => {
      leave();
      socket.removeAllListeners("error");
      resolve(socket);
    });
    if (signal.aborted) giveUp();
  });
}

function write(socket: Socket, content: Buffer, withinMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => fail(maybePrinted(`The printer took it, but has not closed the connection for ${withinMs / 1_000} s`)),
      withinMs,
    );
    const leave = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
    };
    const fail = (error: Error) => {
      leave();
      reject(error);
    };
    const giveUp = () => fail(signal.reason);
    signal.addEventListener("abort", giveUp);
    let sent = false;
    socket.on("error", (error) => fail(maybePrinted(failureOf(error).detail)));
    // What it says, such as a status page, is of no interest, but has to be read for its end to be seen.
    socket.resume();
    socket.once("end", () => {
      if (!sent) return fail(maybePrinted("The printer closed the connection before it had everything"));
      leave();
      resolve();
    });
    socket.end(content, () => {
      sent = true;
    });
    if (signal.aborted) giveUp();
  });
}
