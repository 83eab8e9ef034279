//! An ensemble: several networks side by side as one, each with an equal share of the value.
//!
//! Networks that learnt from other first weights, in another order, err in different places, and the mean of
//! their values errs less than any of them. Two of 64 neurons make one of 128, which costs no more than any other.

use crate::file::finest_output_unit;
use crate::{BUCKETS, INPUTS, NetworkError, NetworkFile};

impl NetworkFile {
    /// The network whose value is the mean of these, but for rounding. It has all their neurons, and the seed
    /// of the first.
    ///
    /// # Errors
    /// When there is none, or when they do not fit together: some correct the handcrafted evaluation and others
    /// stand alone, or their scales differ.
    pub fn ensemble(members: &[Self]) -> Result<Self, NetworkError> {
        let [first, others @ ..] = members else {
            return Err(NetworkError::Misfit("there is none"));
        };
        if others.iter().any(|other| other.is_correction != first.is_correction) {
            return Err(NetworkError::Misfit(
                "one corrects the handcrafted evaluation, another stands alone",
            ));
        }
        if others.iter().any(|other| other.scale != first.scale) {
            return Err(NetworkError::Misfit("their scales differ"));
        }
        let share = 1.0 / members.len() as f32;
        let outputs: Vec<f32> = (0..2 * BUCKETS)
            .flat_map(|set| members.iter().map(move |member| (set, member)))
            .flat_map(|(set, member)| {
                let weights = &member.output_weights[set * member.hidden..][..member.hidden];
                weights.iter().map(|&weight| share * f32::from(weight) / member.output_unit as f32)
            })
            .collect();
        let unit = finest_output_unit(&outputs);
        let bias = |bucket: usize| {
            let sum: f64 = members
                .iter()
                .map(|member| f64::from(member.output_biases[bucket]) / f64::from(member.output_unit))
                .sum();
            (sum * f64::from(share) * f64::from(unit)).round() as i32
        };
        Ok(Self {
            hidden: members.iter().map(|member| member.hidden).sum(),
            output_unit: unit,
            is_correction: first.is_correction,
            scale: first.scale,
            seed: first.seed,
            positions: members.iter().map(|member| member.positions).sum(),
            feature_weights: (0..INPUTS)
                .flat_map(|input| members.iter().map(move |member| (input, member)))
                .flat_map(|(input, member)| &member.feature_weights[input * member.hidden..][..member.hidden])
                .copied()
                .collect(),
            feature_biases: members.iter().flat_map(|member| &member.feature_biases).copied().collect(),
            output_weights: outputs.iter().map(|weight| (weight * unit as f32).round() as i16).collect(),
            output_biases: (0..BUCKETS).map(bias).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    #[test]
    fn the_value_of_an_ensemble_is_the_mean_of_its_members() {
        let members: Vec<NetworkFile> =
            [(32, 1), (64, 2), (32, 3)].map(|(hidden, seed)| NetworkFile::random(hidden, seed)).into();
        let ensemble = NetworkFile::ensemble(&members).unwrap();
        assert_eq!(ensemble.hidden, 128);
        assert_eq!(NetworkFile::decode(&ensemble.encode()).unwrap(), ensemble);
        for fen in [
            chess::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/5k2/8/3P4/8/2K5/8/7n w - - 0 1",
        ] {
            let position: Position = fen.parse().unwrap();
            let values = members.iter().map(|member| member.evaluate(&position));
            let mean = f64::from(values.sum::<i32>()) / members.len() as f64;
            let value = f64::from(ensemble.evaluate(&position));
            assert!((value - mean).abs() < 2.0, "{value} instead of {mean} in {fen}");
        }
        assert_eq!(
            NetworkFile::ensemble(&members[1..2]).unwrap().evaluate(&Position::startpos()),
            members[1].evaluate(&Position::startpos())
        );
    }

    #[test]
    fn members_must_fit_together() {
        let one = NetworkFile::random(32, 1);
        let of_another_kind = NetworkFile { is_correction: true, ..one.clone() };
        let of_another_scale = NetworkFile { scale: one.scale + 1, ..one.clone() };
        for other in [of_another_kind, of_another_scale] {
            let refused = NetworkFile::ensemble(&[one.clone(), other]);
            assert!(matches!(refused, Err(NetworkError::Misfit(_))), "{refused:?}");
        }
        assert!(NetworkFile::ensemble(&[]).is_err());
    }
}
