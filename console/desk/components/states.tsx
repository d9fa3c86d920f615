import { Alert, Button, Center, Group, Loader, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Component, createContext, type ReactNode, use } from "react";
import { t } from "../../texts/desk.js";
import { errorText } from "../../texts/problems.js";

export const Waiting = () => (
  <Center mih={200} role="status" aria-label={t("loading")}>
    <Loader />
  </Center>
);

interface EmptyProps {
  title: string;
  text?: string;
  /** Buttons for what comes next. */
  next?: ReactNode;
}

/** Whether one is within a part of a page, under its title. */
export const WithinPart = createContext(false);

/** A list without rows; or a part of a page without content, which takes no more room than its words. */
export function Empty({ title, text, next }: EmptyProps) {
  const isPart = use(WithinPart);
  const words = (
    <Stack gap={4} align={isPart ? "start" : "center"} ta={isPart ? "start" : "center"} maw={560}>
      <Text {...(isPart ? { c: "dimmed" } : { fw: 600 })}>{title}</Text>
      {text && <Text c="dimmed">{text}</Text>}
      {next && (
        <Group gap="xs" mt="xs">
          {next}
        </Group>
      )}
    </Stack>
  );
  if (isPart) return words;
  return (
    <Center mih={{ base: 80, sm: 160 }} p="lg">
      {words}
    </Center>
  );
}

interface NoticeProps {
  color: string;
  variant?: "light";
  title: string;
  children?: ReactNode;
}

/** What a person should know; its title has the colour of text, which can be read on all of them. */
export const Notice = (props: NoticeProps) => (
  <Alert variant="outline" role="status" styles={{ title: { color: "var(--mantine-color-text)" } }} {...props} />
);

/** Why something that was asked or done did not work. */
export const Refused = ({ error }: { error: unknown }) =>
  error ? (
    <Alert
      color="red"
      variant="light"
      role="alert"
      title={errorText(error)}
      styles={{ body: { minWidth: 0 }, title: { color: "inherit", overflowWrap: "anywhere" } }}
    />
  ) : null;

/** The same in place of a whole page, with a way on. */
export function Failure({ error, again }: { error: unknown; again?: () => void }) {
  const client = useQueryClient();
  return (
    <Stack p="lg" maw={600}>
      <Refused error={error} />
      <Button variant="default" onClick={again ?? (() => void client.invalidateQueries())}>
        {t("tryAgain")}
      </Button>
    </Stack>
  );
}

/** Shows a page's own fault in its place, and leaves the rest usable. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError = (error: unknown) => ({ error });

  override render() {
    const { error } = this.state;
    return error ? <Failure error={error} again={() => this.setState({ error: undefined })} /> : this.props.children;
  }
}

/** The answer to a read once it is there: `<Loaded of={useRead(…)}>{(item) => …}</Loaded>`. */
export function Loaded<T>({ of, children }: { of: { data?: T; error: unknown }; children: (data: T) => ReactNode }) {
  if (of.data !== undefined) return children(of.data);
  return of.error ? <Failure error={of.error} /> : <Waiting />;
}
