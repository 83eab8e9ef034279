//! Plots as small SVG files, readable on light and dark pages.

use crate::report::{Axis, Plot};
use crate::text::short;
use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 46.0;
const BOTTOM: f64 = 96.0;

/// Chosen so that people who see few colours can distinguish them, too.
const STYLE: &str = "\
svg{--paper:#fff;--ink:#1c1c1c;--grid:#ddd;--c0:#0060a8;--c1:#c25400;--c2:#007a55;--c3:#a3428c;--c4:#6b6b00}\
@media(prefers-color-scheme:dark){svg{--paper:#161616;--ink:#e8e8e8;--grid:#3a3a3a;--c0:#6cb8f0;--c1:#f0a060;\
--c2:#50d0a0;--c3:#e090cc;--c4:#d0d060}}\
.paper{fill:var(--paper)}text{fill:var(--ink);font:13px sans-serif}.title{font-size:16px;font-weight:bold}\
.grid{stroke:var(--grid)}.line{fill:none;stroke-width:2}";
const COLORS: usize = 5;

/// Text that stands between tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Where the values of an axis lie.
struct Scale {
    logarithmic: bool,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    ticks: Vec<f64>,
}

impl Scale {
    /// For what is measured: from 0, or from a power of ten.
    fn of_values(axis: &Axis, values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let logarithmic = axis.logarithmic;
        let usable: Vec<f64> =
            values.filter(|value| value.is_finite() && (!logarithmic || *value > 0.0)).collect();
        let most = usable.iter().copied().fold(0.0, f64::max);
        let high = if most > 0.0 { most } else { 1.0 };
        let low = usable.iter().copied().fold(high, f64::min);
        let (low, high, ticks) = if logarithmic {
            let (least, most) = (low.log10().floor(), high.log10().ceil().max(low.log10().floor() + 1.0));
            let step = ((most - least) / 8.0).ceil().max(1.0) as usize;
            let ticks = (least as i32..=most as i32).step_by(step).map(|power| 10f64.powi(power)).collect();
            (10f64.powf(least), 10f64.powf(most), ticks)
        } else {
            let step = round_step(high / 5.0);
            let high = (high / step).ceil() * step;
            let low = (low.min(0.0) / step).floor() * step;
            let count = ((high - low) / step).round() as usize;
            (low, high, (0..=count).map(|i| low + step * i as f64).collect())
        };
        Self { logarithmic, low, high, from, to, ticks }
    }

    /// For what was set: every value has its tick.
    fn of_settings(axis: &Axis, mut values: Vec<f64>, from: f64, to: f64) -> Self {
        values.sort_by(f64::total_cmp);
        values.dedup();
        let (low, high) = match values[..] {
            [] => (0.0, 1.0),
            [only] => (only - 0.5, only + 0.5),
            [low, .., high] => (low, high),
        };
        Self { logarithmic: axis.logarithmic && low > 0.0, low, high, from, to, ticks: values }
    }

    fn place(&self, value: f64) -> f64 {
        let part = if self.logarithmic {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.from + (self.to - self.from) * part
    }
}

/// 1, 2 or 5 times a power of ten, no less than this.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.max(f64::MIN_POSITIVE).log10().floor());
    [1.0, 2.0, 5.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|step| *step >= least)
        .unwrap_or(10.0 * power)
}

fn tick_text(value: f64) -> String {
    match value {
        _ if value >= 1e9 => format!("{}G", trimmed(value / 1e9)),
        _ if value >= 1e6 => format!("{}M", trimmed(value / 1e6)),
        _ if value >= 1e3 => format!("{}k", trimmed(value / 1e3)),
        _ => trimmed(value),
    }
}

fn trimmed(value: f64) -> String {
    let text = if value.abs() < 0.01 && value != 0.0 { format!("{value:e}") } else { short(value) };
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

impl Plot {
    /// The plot as a picture.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
             height=\"{HEIGHT}\" role=\"img\" aria-label=\"{title}\">\n<style>{STYLE}</style>\n\
             <rect class=\"paper\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n\
             <text class=\"title\" x=\"{LEFT}\" y=\"26\">{title}</text>\n",
            title = escaped(&self.title)
        );
        let values = self.series.iter().flat_map(|series| series.points.iter().map(|point| point.1));
        let y = Scale::of_values(&self.y, values, HEIGHT - BOTTOM, TOP);
        self.draw_y_axis(&mut svg, &y);
        if self.x.names.is_empty() {
            self.draw_lines(&mut svg, &y);
        } else {
            self.draw_bars(&mut svg, &y);
        }
        self.draw_legend(&mut svg);
        svg.push_str("</svg>\n");
        svg
    }

    fn draw_y_axis(&self, svg: &mut String, y: &Scale) {
        for &tick in &y.ticks {
            let at = y.place(tick);
            let _ = writeln!(
                svg,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
                 <text x=\"{text_x}\" y=\"{text_y:.1}\" text-anchor=\"end\">{text}</text>",
                right = WIDTH - RIGHT,
                text_x = LEFT - 6.0,
                text_y = at + 4.0,
                text = tick_text(tick)
            );
        }
        let middle = (TOP + HEIGHT - BOTTOM) / 2.0;
        let _ = writeln!(
            svg,
            "<text transform=\"translate(16 {middle}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            escaped(&self.y.label)
        );
    }

    fn draw_lines(&self, svg: &mut String, y: &Scale) {
        let settings = self.series.iter().flat_map(|series| series.points.iter().map(|point| point.0));
        let x = Scale::of_settings(&self.x, settings.collect(), LEFT + 10.0, WIDTH - RIGHT - 10.0);
        for &tick in &x.ticks {
            x_text(svg, x.place(tick), &trimmed(tick));
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            (LEFT + WIDTH - RIGHT) / 2.0,
            HEIGHT - BOTTOM + 40.0,
            escaped(&self.x.label)
        );
        for (index, series) in self.series.iter().enumerate() {
            let color = index % COLORS;
            let places: Vec<(f64, f64)> = series
                .points
                .iter()
                .filter(|point| !y.logarithmic || point.1 > 0.0)
                .map(|&(at, value)| (x.place(at), y.place(value)))
                .collect();
            let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
            // Every second kind of line is broken, for those who print without colours.
            let dashes = if index % 2 == 1 { " stroke-dasharray=\"7 4\"" } else { "" };
            let _ = writeln!(
                svg,
                "<polyline class=\"line\" style=\"stroke:var(--c{color})\"{dashes} points=\"{}\"/>",
                path.join(" ")
            );
            for (x, y) in places {
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" style=\"fill:var(--c{color})\"/>"
                );
            }
        }
    }

    fn draw_bars(&self, svg: &mut String, y: &Scale) {
        let room = (WIDTH - LEFT - RIGHT) / self.x.names.len() as f64;
        let width = room * 0.8 / self.series.len().max(1) as f64;
        for (place, name) in self.x.names.iter().enumerate() {
            x_text(svg, LEFT + room * (place as f64 + 0.5), name);
        }
        for (index, series) in self.series.iter().enumerate() {
            for &(place, value) in &series.points {
                let left = LEFT + room * (place + 0.1) + width * index as f64;
                let top = y.place(if value.is_finite() { value } else { y.low });
                let _ = writeln!(
                    svg,
                    "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
                     style=\"fill:var(--c{color})\"/><text x=\"{middle:.1}\" y=\"{above:.1}\" \
                     text-anchor=\"middle\">{text}</text>",
                    height = (HEIGHT - BOTTOM - top).max(0.0),
                    color = index % COLORS,
                    middle = left + width / 2.0,
                    above = top - 4.0,
                    text = tick_text(value)
                );
            }
        }
    }

    fn draw_legend(&self, svg: &mut String) {
        if self.series.len() < 2 {
            return;
        }
        let room = (WIDTH - LEFT) / 3.0;
        for (index, series) in self.series.iter().enumerate() {
            let x = LEFT + room * (index % 3) as f64;
            let y = HEIGHT - 32.0 + 18.0 * (index / 3) as f64;
            let _ = writeln!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"12\" height=\"12\" style=\"fill:var(--c{})\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                y - 10.0,
                index % COLORS,
                x + 18.0,
                y,
                escaped(&series.name)
            );
        }
    }
}

fn x_text(svg: &mut String, at: f64, text: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
        HEIGHT - BOTTOM + 20.0,
        escaped(text)
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Series;

    #[test]
    fn steps_are_round() {
        assert_eq!(round_step(0.7), 1.0);
        assert_eq!(round_step(1.0), 1.0);
        assert_eq!(round_step(130.0), 200.0);
        assert_eq!(round_step(30.0), 50.0);
        assert!((round_step(7.0) - 10.0).abs() < 1e-9);
    }

    #[test]
    fn places_keep_the_order_of_values() {
        for logarithmic in [false, true] {
            let axis = Axis { logarithmic, ..Axis::default() };
            let y = Scale::of_values(&axis, [3.0, 40.0, 900.0].into_iter(), 400.0, 40.0);
            assert!(y.place(3.0) > y.place(40.0) && y.place(40.0) > y.place(900.0));
            assert!((40.0..=400.0).contains(&y.place(3.0)) && (40.0..=400.0).contains(&y.place(900.0)));
        }
    }

    #[test]
    fn nothing_at_all_can_be_drawn() {
        for logarithmic in [false, true] {
            let axis = Axis { logarithmic, ..Axis::default() };
            let empty = Plot {
                title: "a < b & c".to_owned(),
                x: Axis::default(),
                y: axis,
                series: vec![Series::new("none", []), Series::new("one", [(1.0, 0.0)])],
            };
            let svg = empty.to_svg();
            assert!(
                svg.contains("a &lt; b &amp; c") && !svg.contains("NaN") && !svg.contains("inf"),
                "{svg}"
            );
        }
    }

    #[test]
    fn ticks_are_short() {
        assert_eq!(tick_text(0.0), "0");
        assert_eq!(tick_text(1000.0), "1k");
        assert_eq!(tick_text(2_500_000.0), "2.5M");
        assert_eq!(tick_text(3e9), "3G");
        assert_eq!(tick_text(20.0), "20");
        assert_eq!(tick_text(100.0), "100");
    }
}
