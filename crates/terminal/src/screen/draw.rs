//! Drawing.

use super::input::KEYS;
use super::layout::Layout;
use super::square::{self, Marks};
use super::{Popup, View};
use crate::board::{self, BoardView, Look};
use crate::participant::Participant;
use crate::words;
use chess::pgn::EvalScore;
use chess::{Color as Side, Square};
use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph, Wrap};
use std::time::Instant;

impl View {
    /// Draws everything.
    pub(super) fn draw(&mut self, frame: &mut Frame<'_>, now: Instant) {
        let area = frame.area();
        self.layout = Layout::new(area, self.bar);
        let Some(layout) = self.layout else {
            let text =
                format!("A board needs 20 columns and 14 rows; here are {} and {}.", area.width, area.height);
            return frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
        };
        self.draw_title(frame, layout.title);
        self.draw_player(frame, layout.upper_player, !self.bottom, now);
        self.draw_board(frame, &layout);
        self.draw_player(frame, layout.lower_player, self.bottom, now);
        if let Some(bar) = layout.bar {
            self.draw_bar(frame, bar);
        }
        if let Some(side) = layout.side {
            self.draw_side(frame, side);
        }
        // Without a side panel the coach speaks in the message.
        let has_news = !self.message.is_empty() || layout.side.is_some();
        let message = if has_news { &self.message } else { &self.advice };
        frame.render_widget(Paragraph::new(message.as_str()).wrap(Wrap { trim: true }), layout.message);
        self.draw_prompt(frame, layout.prompt);
        match &self.popup {
            Some(Popup::Help(top)) => self.draw_help(frame, area, *top),
            Some(Popup::Promotion { .. }) => self.draw_promotion(frame, layout.squares),
            Some(Popup::Statistics) => {
                let text = Paragraph::new(self.local_game.statistics());
                frame.render_widget(Clear, area);
                frame.render_widget(text.block(self.block(" Statistics: any key closes ")), area);
            }
            None => {}
        }
    }

    fn style(&self, color: Color) -> Style {
        if self.screen.color { Style::new().fg(color) } else { Style::new() }
    }

    fn draw_title(&self, frame: &mut Frame<'_>, area: Rect) {
        let opening = self.local_game.opening().map(|opening| format!("  {opening}"));
        let state = match (self.local_game.is_demo(), self.local_game.is_paused()) {
            (true, _) => "  demonstration",
            (false, true) => "  paused",
            (false, false) => "",
        };
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let title = Line::from(vec![
            Span::styled("Gardez", bold),
            Span::raw(opening.unwrap_or_default()),
            Span::raw(state),
        ]);
        frame.render_widget(title, area);
        if area.width >= 60 {
            let keys = Line::from("F1 help  F3 hint  Ctrl-W why  F10 quit ").alignment(Alignment::Right);
            frame.render_widget(keys.style(self.style(Color::DarkGray)), area);
        }
    }

    fn draw_player(&self, frame: &mut Frame<'_>, area: Rect, side: Side, now: Instant) {
        let game = self.local_game.game();
        let to_move = game.position().turn() == side && !game.is_over();
        let sign = match (to_move, self.screen.ascii) {
            (true, true) => "> ",
            (true, false) => "▶ ",
            (false, _) => "  ",
        };
        let thinks = if self.local_game.thinking() == Some(side) { " thinks" } else { "" };
        let name = match self.local_game.participant(side) {
            Participant::Human => side.to_string(),
            participant @ Participant::Program(_) => participant.name().to_owned(),
        };
        let taken: String = board::captured(game.position(), game.start(), !side)
            .into_iter()
            .map(|role| match self.screen.ascii {
                true => role.to_char().to_ascii_lowercase(),
                false => board::full_figurine(role),
            })
            .collect();
        let lead = board::material_lead(game.position(), side);
        let lead = if lead > 0 { format!(" +{lead}") } else { String::new() };
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let line = Line::from(vec![
            Span::raw(sign),
            Span::styled(name, bold),
            Span::raw(thinks),
            Span::styled(format!("  {taken}{lead}"), self.style(Color::DarkGray)),
        ]);
        frame.render_widget(line, area);
        if let Some(left) = self.local_game.time_left(side, now) {
            let style = if to_move { bold.add_modifier(Modifier::REVERSED) } else { bold };
            let text = format!(" {} ", words::time(left));
            let width = (text.len() as u16).min(area.width);
            let clock = Rect { x: area.right() - width, width, ..area };
            frame.render_widget(Span::styled(text, style), clock);
        }
    }

    /// What there is to see on each square.
    fn marks(&self, square: Square) -> Marks {
        let game = self.local_game.game();
        let position = game.position();
        let moved = |square: Square| {
            let squares = game.last_move().map(|mv| [mv.from(), board::target(mv, !position.turn())]);
            squares.is_some_and(|squares| squares.contains(&square))
        };
        let is_target = |from: Square| {
            let mut moves = position.legal_moves().into_iter().filter(|mv| mv.from() == from);
            moves.any(|mv| mv.to() == square || board::target(mv, position.turn()) == square)
        };
        Marks {
            cursor: square == self.cursor,
            chosen: self.chosen == Some(square),
            target: self.chosen.is_some_and(is_target),
            last_move: moved(square),
            check: position.is_check() && square == position.king(position.turn()),
            hint: self.hint.contains(&square),
        }
    }

    fn draw_board(&self, frame: &mut Frame<'_>, layout: &Layout) {
        let position = self.local_game.game().position();
        let (ranks, files) = BoardView { look: Look::Letters, bottom: self.bottom }.command();
        let dim = self.style(Color::DarkGray);
        for (y, rank) in (0..).zip(ranks) {
            let row = layout.cell(0, y);
            let name = Rect { x: row.x - 2, y: row.y + row.height / 2, width: 1, height: 1 };
            frame.render_widget(Span::styled(rank.to_string(), dim), name);
            for (x, file) in (0..).zip(files) {
                let square = Square::new(file, rank);
                let piece = position.piece_on(square);
                let marks = self.marks(square);
                square::draw(frame.buffer_mut(), layout.cell(x, y), self.screen, square, piece, marks);
            }
        }
        for (x, file) in (0..).zip(files) {
            let column = layout.cell(x, 7);
            let name = Rect { x: column.x + (column.width - 1) / 2, y: column.bottom(), width: 1, height: 1 };
            frame.render_widget(Span::styled(file.to_string(), dim), name);
        }
    }

    /// White's share of the chances, from 0 to 1.
    fn white_share(&self) -> Option<f64> {
        Some(match self.local_game.lines().first()?.score {
            EvalScore::Mate(moves) => f64::from(u8::from(moves > 0)),
            EvalScore::Centipawns(points) => {
                let chances = engine::wdl::chances(engine::wdl::units(points));
                (f64::from(chances.win) + f64::from(chances.draw) / 2.0) / 1000.0
            }
        })
    }

    fn draw_bar(&self, frame: &mut Frame<'_>, area: Rect) {
        let Some(share) = self.white_share() else { return };
        let own = if self.bottom == Side::White { share } else { 1.0 - share };
        let rows = (own * f64::from(area.height)).round() as u16;
        for row in 0..area.height {
            let is_own = row >= area.height - rows;
            let is_white = is_own == (self.bottom == Side::White);
            let (symbol, color) = match (is_white, self.screen.ascii) {
                (true, true) => ("#", Color::Indexed(255)),
                (false, true) => (".", Color::Indexed(240)),
                (true, false) => ("█", Color::Indexed(255)),
                (false, false) => ("░", Color::Indexed(240)),
            };
            let cell = Rect { y: area.y + row, height: 1, ..area };
            frame.render_widget(Span::styled(symbol, self.style(color)), cell);
        }
    }

    fn block(&self, title: &'static str) -> Block<'static> {
        let block = Block::bordered().title(title);
        match self.screen.ascii {
            true => block.border_set(ratatui::symbols::border::Set {
                top_left: "+",
                top_right: "+",
                bottom_left: "+",
                bottom_right: "+",
                vertical_left: "|",
                vertical_right: "|",
                horizontal_top: "-",
                horizontal_bottom: "-",
            }),
            false => block.border_type(BorderType::Rounded),
        }
    }

    fn draw_side(&self, frame: &mut Frame<'_>, area: Rect) {
        let has_advice = !self.advice.is_empty();
        let lines_height = match (has_advice, self.analysis) {
            (true, _) => area.height * 2 / 3,
            (false, true) => (area.height / 2).min(8),
            (false, false) => 0,
        };
        let moves = Rect { height: area.height - lines_height, ..area };
        let lines = Rect { y: moves.bottom(), height: lines_height, ..area };
        self.draw_moves(frame, moves);
        if has_advice {
            let paragraph = Paragraph::new(self.advice.as_str()).wrap(Wrap { trim: true });
            frame.render_widget(paragraph.block(self.block(" Coach ")), lines);
        } else if lines_height >= 3 {
            let position = self.local_game.game().position();
            let texts = self.local_game.lines().iter().map(|line| Line::from(line.text(position, 12)));
            let text: Text<'_> = texts.collect();
            let paragraph = Paragraph::new(text).wrap(Wrap { trim: true }).block(self.block(" Analysis "));
            frame.render_widget(paragraph, lines);
        }
    }

    fn draw_moves(&self, frame: &mut Frame<'_>, area: Rect) {
        let game = self.local_game.game();
        let mut rows: Vec<Line<'_>> = Vec::new();
        let mut current_row = 0;
        for (index, ply) in game.line().iter().enumerate() {
            let Some(before) = game.position_at(index) else { break };
            let is_current = index + 1 == game.ply();
            let style = match (is_current, index < game.ply()) {
                (true, _) => Style::new().add_modifier(Modifier::REVERSED),
                (false, true) => Style::new(),
                (false, false) => self.style(Color::DarkGray),
            };
            if before.turn() == Side::White || rows.is_empty() {
                rows.push(Line::from(format!("{:>3}. ", before.fullmove_number())));
                if before.turn() == Side::Black {
                    rows.last_mut().into_iter().for_each(|row| row.push_span(format!("{:<9}", "...")));
                }
            }
            if is_current {
                current_row = rows.len() - 1;
            }
            if let Some(row) = rows.last_mut() {
                let san = before.san(ply.mv).to_string();
                let gap = " ".repeat(9usize.saturating_sub(san.len()));
                row.push_span(Span::styled(san, style));
                row.push_span(gap);
            }
        }
        if let Some(outcome) = game.outcome() {
            rows.push(Line::from(format!("     {}", outcome.result())));
            current_row = rows.len() - 1;
        }
        let height = usize::from(area.height.saturating_sub(2));
        let top = (current_row + 1).saturating_sub(height);
        let text: Text<'_> = rows.into_iter().skip(top).take(height).collect();
        frame.render_widget(Paragraph::new(text).block(self.block(" Moves ")), area);
    }

    fn draw_prompt(&self, frame: &mut Frame<'_>, area: Rect) {
        let hint = match self.typed.is_empty() {
            true => {
                Span::styled("type a move or a command, or use arrows and Enter", self.style(Color::DarkGray))
            }
            false => Span::raw(self.typed.as_str()),
        };
        frame.render_widget(Line::from(vec![Span::raw("> "), hint]), area);
        let column = area.x + 2 + Span::raw(self.typed.as_str()).width() as u16;
        frame.set_cursor_position((column.min(area.right().saturating_sub(1)), area.y));
    }

    fn draw_help(&self, frame: &mut Frame<'_>, area: Rect, top: u16) {
        let keys = KEYS.iter().map(|(key, help)| format!("  {key:<16} {help}"));
        let text: Vec<String> = std::iter::once("Keys".to_owned())
            .chain(keys)
            .chain(crate::command::manual().lines().map(str::to_owned))
            .collect();
        let room = area.height.saturating_sub(2);
        let top = top.min((text.len() as u16).saturating_sub(room));
        let paragraph = Paragraph::new(text.join("\n"))
            .scroll((top, 0))
            .block(self.block(" Help: arrows scroll, any other key closes "));
        frame.render_widget(Clear, area);
        frame.render_widget(paragraph, area);
    }

    fn draw_promotion(&self, frame: &mut Frame<'_>, board: Rect) {
        let text = "q queen\nr rook\nb bishop\nn knight";
        let area = Rect {
            x: board.x + board.width.saturating_sub(18) / 2,
            y: board.y + board.height.saturating_sub(6) / 2,
            width: 18.min(board.width),
            height: 6.min(board.height),
        };
        frame.render_widget(Clear, area);
        frame.render_widget(Paragraph::new(text).block(self.block(" Promote to ")), area);
    }
}
