//! Connections on which nothing can be written for too long are given up, so that nobody keeps an answer waiting.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A connection whose other end has to read.
pub(crate) struct WriteTimeout<S> {
    stream: S,
    time: Duration,
    /// Runs while a write waits for the other end.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> WriteTimeout<S> {
    /// Writes may wait this long.
    pub(crate) const fn new(stream: S, time: Duration) -> Self {
        Self { stream, time, waiting: None }
    }

    /// Looks at the time if a write is not ready.
    fn watch<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let time = self.time;
        ready!(self.waiting.get_or_insert_with(|| Box::pin(sleep(time))).as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteTimeout<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.watch(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.watch(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let ended = Pin::new(&mut self.stream).poll_shutdown(context);
        self.watch(context, ended)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    const TIME: Duration = Duration::from_secs(30);

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_nothing_is_given_up() {
        let (here, _there) = duplex(8);
        let mut stream = WriteTimeout::new(here, TIME);
        stream.write_all(b"12345678").await.expect("there is room");
        let error = stream.write_all(b"9").await.expect_err("nobody reads");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_slowly_gets_everything() {
        let (here, mut there) = duplex(8);
        let mut stream = WriteTimeout::new(here, TIME);
        let reading = tokio::spawn(async move {
            let mut read = Vec::new();
            let mut bytes = [0; 8];
            while read.len() < 80 {
                sleep(TIME - Duration::from_secs(1)).await;
                let count = there.read(&mut bytes).await.expect("bytes");
                read.extend_from_slice(&bytes[..count]);
            }
            read
        });
        stream.write_all(&[7; 80]).await.expect("all is read in the end");
        assert_eq!(reading.await.expect("it ends"), [7; 80]);
    }
}
